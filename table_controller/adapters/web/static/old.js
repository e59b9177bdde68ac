// Tells people whose browser is too old for the styles, in a sentence without style. Any browser can read this file.
(function () {
  var told = document.currentScript && document.currentScript.getAttribute("data-told");
  var known = window.CSS && CSS.supports && CSS.supports("selector(:has(a))") && CSS.supports("container-type: size");
  if (known || !told) return;
  document.addEventListener("DOMContentLoaded", function () {
    var styles = document.querySelectorAll("link[rel=stylesheet]");
    for (var n = 0; n < styles.length; n++) styles[n].parentNode.removeChild(styles[n]);
    var sentence = document.createElement("p");
    sentence.appendChild(document.createTextNode(told));
    document.body.innerHTML = "";
    document.body.appendChild(sentence);
  });
})();
