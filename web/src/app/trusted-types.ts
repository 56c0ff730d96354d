// Trusted Types: the browser refuses texts as HTML or as the address of a script unless this policy returns them.

interface Rules {
  createHTML: (text: string) => string | null;
  createScriptURL: (address: string) => string | null;
}

/**
 * The content security policy of the page permits this policy only. Radix sets the rules of its <style> as HTML: a text without
 * markup adds no element. The only script addresses in the code are addresses of workers.
 */
export const rules: Rules = {
  createHTML: (text) => (/[<&]/.test(text) ? null : text),
  createScriptURL: (address) => (/^\/(assets\/)?[\w-]*worker[\w-]*\.js$/.test(address) ? address : null),
};

/** Call it before the first render. Browsers without Trusted Types ignore the content security policy of them too. */
export function restrictSinks(): void {
  const { trustedTypes } = window as {
    trustedTypes?: { createPolicy: (name: string, rules: Rules) => unknown };
  };
  trustedTypes?.createPolicy('default', rules);
}
