// Follows a link that was just drawn, as a press on it does; Back then returns to this page as it was left.
const TRIES = 300; // frames until the link is there

export default function ({ data }) {
  if (!data.by_touch && matchMedia('(pointer: coarse)').matches) return;
  const go = (tries) => {
    const link = document.querySelector(`.st-key-${data.link} a`);
    if (link) link.click();
    else if (tries) requestAnimationFrame(() => go(tries - 1));
  };
  go(TRIES);
}
