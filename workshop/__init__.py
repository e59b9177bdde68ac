"""What makers of this project need and no table does: it is in no package that is installed.

`training` makes the nets, `schlitten` the parts to print, `board` the drawings and lists of wires,
`papers` the generated documents and catalogues. `bench`, `soak` and `mutation` measure.
"""
