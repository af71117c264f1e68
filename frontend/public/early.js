// Keeps what is typed before the page can take it: the page asks for it once.
(function () {
  var text = '';
  function hear(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Backspace') text = Array.from(text).slice(0, -1).join('');
    else if (Array.from(event.key || '').length === 1 && (text || event.key !== ' ')) text += event.key;
    else return;
    event.preventDefault();
  }
  addEventListener('keydown', hear);
  window.typedEarly = function () {
    removeEventListener('keydown', hear);
    return text;
  };
})();
