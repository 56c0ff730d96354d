// Whether the member writes on a touch screen.

/** There, focusing a field opens a keyboard over half of the screen, so that only a press on the field may do it. */
export const isTouchScreen = (): boolean => window.matchMedia('(pointer: coarse)').matches;
