// Presses in a list whose rows leave at once.

/**
 * Whether this click is the second one of a double press. The first one has removed its row, and the button of the next row is
 * now under the pointer: the press was not meant for it.
 */
export const isDoublePress = ({ detail }: { detail: number }): boolean => detail > 1;
