// Sets the theme before the first paint. The choice of ui.theme is mirrored in local storage.
(function () {
  var choice = null;
  try {
    choice = localStorage.getItem('footnote.' + (document.documentElement.dataset.home || '') + '.theme');
  } catch (error) {
    choice = null; // storage is closed to us: follow the system
  }
  var dark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme =
    choice === 'light' || choice === 'dark' ? choice : dark ? 'dark' : 'light';
})();
