// Sets theme and text size before the first paint. The choices of ui.theme and ui.text_size are mirrored in local storage.
(function () {
  var choice = null;
  var size = null;
  try {
    var ours = 'footnote.' + (document.documentElement.dataset.home || '') + '.';
    choice = localStorage.getItem(ours + 'theme');
    size = localStorage.getItem(ours + 'text');
  } catch (error) {
    choice = null; // storage is closed to us: follow the system
  }
  if (size) document.documentElement.dataset.text = size;
  var dark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme =
    choice === 'light' || choice === 'dark' ? choice : dark ? 'dark' : 'light';
})();
