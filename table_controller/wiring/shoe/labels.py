"""The manifests of the house's Schlitten, and what a text that a person scanned means by them."""

from __future__ import annotations

from dataclasses import dataclass, field

from table_controller.adapters.web.scanned import no_labels
from table_controller.engine.messages import Phrase, phrase
from table_controller.rules.cards import Card
from table_controller.rules.houses import House
from table_controller.service.errors import ConfigError
from table_controller.wiring.config import ShoeSettings
from vision import manifest
from vision.manifest import LabelVerdict, Manifest


def manifests(settings: ShoeSettings, house: House | None = None) -> list[Manifest]:
    """Read the manifests that the settings name: that of the Schlitten on the table first.

    Raises ConfigError, also if the manifests are for other packs than those of the `house`.
    """
    try:
        shoes = [manifest.load(path) for path in settings.manifests]
    except manifest.ManifestError as error:
        raise ConfigError(f"[shoe] manifests: {error}") from None
    for shoe in shoes:
        if house and (shoe.packs, shoe.pack) != (house.packs, house.pack):
            raise ConfigError(
                f"[shoe] manifests: the Schlitten {shoe.shoe!r} is of {shoe.packs} x {shoe.pack} "
                f"cards, and the house {house.id!r} plays with {house.packs} x {house.pack}: "
                "name one of these"
            )
    return shoes


@dataclass(frozen=True)
class ScannedLabels:
    """Looks up what a scanner typed on the croupier's page.

    The first of the manifests is that of the Schlitten on the table.
    """

    shoes: list[Manifest] = field(default_factory=list, repr=False)

    def __call__(self, text: str) -> Card | Phrase:
        """Return the label's card, or the reason why the text gives none.

        Digits alone give none: a misread label of eight digits may be another card's.
        """
        if not self.shoes:
            return no_labels(text)
        found = self.shoes[0].lookup(text.strip().upper(), self.shoes[1:])
        match found.verdict:
            case LabelVerdict.OTHER_SHOE:
                return phrase(
                    "This card is of {shoe}, which is not on this table.", shoe=found.shoe
                )
            case LabelVerdict.FOREIGN:
                return phrase(
                    "This is no label of this house. Set the scanner to the language of the "
                    "keyboard, and scan again."
                )
        if found.weak:
            return phrase("A label of digits alone may be misread as another card.")
        assert found.entry
        return found.entry.card or phrase("This label names no card of the game.")
