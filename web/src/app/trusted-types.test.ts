// Which texts become HTML or the address of a script.
import { afterEach, expect, test, vi } from 'vitest';
import { restrictSinks, rules } from './trusted-types';

afterEach(() => vi.unstubAllGlobals());

test('only texts without markup and own workers are accepted', () => {
  expect(rules.createHTML('[data-x]{color:red}')).toBe('[data-x]{color:red}');
  expect(rules.createHTML('<img src=x onerror=alert(1)>')).toBeNull();
  expect(rules.createHTML('&lt;img&gt;')).toBeNull();
  expect(rules.createScriptURL('/service-worker.js')).toBe('/service-worker.js');
  const worker = '/assets/proof-of-work-worker-CAJ6_a-9.js';
  expect(rules.createScriptURL(worker)).toBe(worker);
  expect(rules.createScriptURL('/media/picture.jpg')).toBeNull();
  expect(rules.createScriptURL('/media/worker.js')).toBeNull();
  expect(rules.createScriptURL('//evil-worker.js')).toBeNull();
  expect(rules.createScriptURL('https://evil.example/service-worker.js')).toBeNull();
});

test('they are the default policy where the browser has one', () => {
  const createPolicy = vi.fn();
  vi.stubGlobal('trustedTypes', { createPolicy });
  restrictSinks();
  expect(createPolicy).toHaveBeenCalledExactlyOnceWith('default', rules);
  vi.stubGlobal('trustedTypes', undefined);
  expect(restrictSinks).not.toThrow();
});
