// The classes that the checklist shares with its placeholder: both have one height.
export const checklistFrame = 'p-4 md:px-5';
export const checklistSteps = 'mt-2.5 grid grid-cols-1 gap-x-4 sm:grid-cols-2';
