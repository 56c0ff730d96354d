// The files that can be chosen as pictures. Apart from picture-scaling.ts, which loads when one was chosen.

/** The types that the server takes. */
export const pictureTypes = ['image/png', 'image/jpeg'];
/** Types of phones that some browsers can read. The server gets a JPEG, or a PNG with transparency. */
const convertedTypes = ['image/heic', 'image/heif', 'image/webp', 'image/avif'];
/** Systems that do not know the type leave it empty. */
const convertedName = /\.(?:heic|heif|avif)$/i;
/** This browser cannot read the file as a picture. */
export class UnreadablePicture extends Error {}

export const isPicture = ({ type, name }: File): boolean =>
  pictureTypes.includes(type) || convertedTypes.includes(type) || (type === '' && convertedName.test(name));
