// Whether a pointer or a key is held down. What is drawn anew between a press and its release loses the click.

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

/** Acts at once, or when what is held has been let go. */
export function whenReleased(act: () => void) {
  if (held) waiting.push(act);
  else act();
}
