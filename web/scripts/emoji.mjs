// Writes src/ui/emoji.json: the emoji below with their names and search words in both languages, from the annotations of
// Unicode CLDR (licence Unicode-3.0). By hand, when the list changes: node scripts/emoji.mjs <folder>, where `npm install
// cldr-annotations-full cldr-annotations-derived-full` ran in that folder.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The commonest ones, in the order of the picker. */
const groups = {
  smileys:
    '😀 😃 😄 😁 😆 😅 🤣 😂 🙂 🙃 🫠 😉 😊 😇 🥰 😍 🤩 😘 😗 ☺️ 😚 😙 🥲 😋 😛 😜 🤪 😝 🤑 🤗 🤭 🫢 🤫 🤔 🫡 🤐 🤨 😐 😑 😶 😏 😒 🙄 😬 😮‍💨 🤥 😌 😔 😪 🤤 😴 😷 🤒 🤕 🤢 🤮 🤧 🥵 🥶 🥴 😵 🤯 🤠 🥳 😎 🤓 🧐 😕 😟 🙁 ☹️ 😮 😯 😲 😳 🥺 🥹 😦 😧 😨 😰 😥 😢 😭 😱 😖 😣 😞 😓 😩 😫 🥱 😤 😡 😠 🤬 💀 💩 👻 👽 🤖 🙈 🙉 🙊',
  people:
    '👋 🤚 🖐️ ✋ 👌 🤌 🤏 ✌️ 🤞 🫰 🤟 🤘 🤙 👈 👉 👆 👇 ☝️ 👍 👎 ✊ 👊 🤛 🤜 👏 🙌 🫶 👐 🤲 🤝 🙏 ✍️ 💅 💪 🧠 👀 👁️ 👂 👄 👶 🧒 👦 👧 🧑 👨 👩 🧓 👴 👵 🙅 🙆 💁 🙋 🤦 🤷 🧑‍⚖️ 👩‍⚖️ 👨‍⚖️ 🧑‍🎓 👩‍🎓 👨‍🎓 🧑‍🏫 👩‍🏫 👨‍🏫 🧑‍💼 👩‍💼 👨‍💼 🧑‍💻 👩‍💻 👨‍💻 👮 🕵️ 🦸 🎅 🏃 💃 🕺 🧘 👫 👪 🗣️ 👤 👥',
  hearts:
    '❤️ 🧡 💛 💚 💙 💜 🤎 🖤 🤍 💔 ❣️ 💕 💞 💓 💗 💖 💘 💝 ❤️‍🔥 💯 💢 💥 💫 💦 💨 💬 💭 💤 ✨ ⭐ 🌟 🔥 ✅ ✔️ ☑️ ❌ ❓ ❔ ❗ ‼️ ⚠️ 🚫 ⛔ 🔴 🟠 🟡 🟢 🔵 🟣 ⚫ ⚪ ➕ ➖ ➡️ ⬅️ ⬆️ ⬇️ 🔄 🆕 🆗 🆓 ℹ️ ♻️ ©️ ®️ ™️',
  nature:
    '🐶 🐱 🐭 🐰 🦊 🐻 🐼 🐯 🦁 🐮 🐷 🐸 🐵 🐔 🐧 🐦 🦅 🦉 🐺 🐴 🦄 🐝 🦋 🐢 🐍 🐙 🐬 🐳 🐠 🐃 💐 🌸 🌹 🌺 🌻 🌷 🌱 🌲 🌴 🌵 🍀 🍁 🌍 🌏 🌙 ☀️ ⛅ ☁️ 🌧️ ⛈️ 🌈 ❄️ ☔ ⚡ 🌊',
  food: '🍎 🍊 🍋 🍌 🍉 🍇 🍓 🍍 🥭 🥥 🥑 🌽 🍞 🥐 🧀 🍳 🍔 🍟 🍕 🌮 🍜 🍝 🍚 🍱 🍣 🍤 🍦 🍩 🍪 🎂 🍰 🍫 🍿 ☕ 🍵 🧋 🥤 🍺 🍻 🥂 🍷 🍽️',
  activities:
    '🎉 🎊 🎈 🎁 🎄 🎃 🏆 🥇 🥈 🥉 🏅 🎖️ ⚽ 🏀 🏐 🎾 🏸 🥊 🎯 🎮 🎲 ♟️ 🧩 🎤 🎧 🎵 🎶 🎸 🎹 🎬 🎨 🎭 🎟️',
  travel:
    '🚗 🚕 🚌 🚎 🚑 🚒 🚲 🛵 🚆 ✈️ 🚀 🚢 ⛵ 🏠 🏢 🏫 🏛️ 🏥 🏦 🏨 🏪 ⛪ 🕌 🕍 🗽 🌉 🌃 🌅 🏖️ 🏝️ ⛰️ 🌋 🗺️ 🧭 🚨 🚦',
  objects:
    '⚖️ 📚 📖 📕 📗 📘 📙 📓 📒 📝 ✏️ 🖊️ 🖋️ 📄 📃 📑 📜 📰 🔖 📌 📍 📎 🔗 ✂️ 📏 🗂️ 📁 📂 🗃️ 🗄️ 📅 📆 🗓️ ⏰ ⏳ ⌛ ⏱️ 🕐 🎓 💼 🎒 💻 🖥️ 🖨️ ⌨️ 📱 ☎️ 📞 📧 ✉️ 📩 📨 📬 📦 💡 🔦 🔍 🔎 🔒 🔓 🔑 🗝️ 🔨 🛠️ ⚙️ 🧲 💰 💵 💳 🧾 📈 📉 📊 🔔 🔕 📢 📣 🎥 📷 📺 📻 🔋 🔌 🧪 💊 🩺 🩹 🚪 🛏️ 🧹 🗑️ 👓 👔 👗 👠 👑 💍 💎 🗳️ 🏁 🚩',
  flags: '🇵🇭 🇺🇸 🇨🇦 🇬🇧 🇦🇺 🇳🇿 🇸🇬 🇲🇾 🇮🇩 🇹🇭 🇻🇳 🇯🇵 🇰🇷 🇨🇳 🇭🇰 🇹🇼 🇮🇳 🇪🇸 🇫🇷 🇩🇪 🇮🇹 🇪🇺 🇺🇳 🇲🇽 🇧🇷 🇸🇦 🇦🇪 🏳️‍🌈',
};

const [, , folder] = process.argv;
const annotationsOf = (language) => {
  const read = (name, part) =>
    JSON.parse(readFileSync(join(folder, 'node_modules', name, part, language, 'annotations.json'), 'utf8'));
  return {
    ...read('cldr-annotations-full', 'annotations').annotations.annotations,
    ...read('cldr-annotations-derived-full', 'annotationsDerived').annotationsDerived.annotations,
  };
};

/** The name, then the search words that it does not contain, each once. */
function textOf(annotations, emoji) {
  // CLDR leaves the variation selector out.
  const found = annotations[emoji] ?? annotations[emoji.replaceAll('\ufe0f', '')];
  if (!found) throw new Error(`${emoji} has no annotation`);
  const [name] = found.tts;
  const known = new Set(name.toLowerCase().split(/[\s,:()-]+/));
  const words = new Set((found.default ?? []).flatMap((text) => text.toLowerCase().split(/[\s,|]+/)));
  return `${name}|${[...words].filter((word) => !known.has(word)).join(' ')}`;
}

const [en, fil] = ['en', 'fil'].map(annotationsOf);
const data = Object.entries(groups).map(([group, list]) => ({
  group,
  emoji: list.split(' ').map((emoji) => [emoji, textOf(en, emoji), textOf(fil, emoji)]),
}));
const rows = data.map(
  ({ group, emoji }) =>
    `  {\n    "group": "${group}",\n    "emoji": [\n${emoji.map((one) => `      ${JSON.stringify(one).replaceAll('","', '", "')}`).join(',\n')}\n    ]\n  }`,
);
writeFileSync(new URL('../src/ui/emoji.json', import.meta.url), `[\n${rows.join(',\n')}\n]\n`);
console.log(`${data.reduce((all, { emoji }) => all + emoji.length, 0)} emoji`);
