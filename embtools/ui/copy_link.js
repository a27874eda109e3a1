// Copies the link; where the page has no https, a browser has no clipboard for it, and the text is selected and copied.
const SAID = 2000; // ms in which the button says that it has copied

function byHand(text) {
  const field = document.body.appendChild(document.createElement('textarea'));
  field.value = text;
  field.style.cssText = 'position: fixed; opacity: 0';
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}

export default function ({ data, parentElement }) {
  const button = parentElement.querySelector('button');
  button.onclick = async () => {
    const done = await (navigator.clipboard?.writeText(data).then(() => true, () => false) ?? byHand(data)) || byHand(data);
    button.textContent = done ? 'Copied' : 'Select the address below';
    button.focus();
    setTimeout(() => (button.textContent = 'Copy link'), SAID);
  };
}
