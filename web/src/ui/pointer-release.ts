// Defers work while a pointer or key is pressed: an element rendered again before the release loses the click.

let held = false;
const waiting: (() => void)[] = [];

const press = () => {
  held = true;
};

/** The click follows the release within the same task. */
const release = () => {
  held = false;
  setTimeout(() => {
    if (!held) for (const act of waiting.splice(0)) act();
  });
};

for (const event of ['pointerdown', 'keydown']) window.addEventListener(event, press, true);
for (const event of ['pointerup', 'pointercancel', 'keyup', 'blur'])
  window.addEventListener(event, release, true);

/** Runs `act` at once, or after the release. */
export function afterPointerRelease(act: () => void) {
  if (held) waiting.push(act);
  else act();
}
