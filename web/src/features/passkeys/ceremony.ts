// The dialogs of the browser that create and use a passkey. Loads on first use.
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { api, read } from '@/api/client';
import type { Passkey, PasskeyAssertion } from '@/api/schema.gen';
import type { Me } from '@/api/session';

/** Creates a passkey on a device of the member's choice and stores it. */
export async function createPasskey(name: string): Promise<Passkey> {
  const { ceremony, options } = await read(api.POST('/api/auth/passkeys/options'));
  const { id, rawId, type, response } = await startRegistration({
    optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
  });
  const { clientDataJSON, attestationObject } = response;
  const credential = { id, rawId, type, response: { clientDataJSON, attestationObject } };
  return read(api.POST('/api/auth/passkeys', { body: { name, ceremony, credential } }));
}

/** Signs in with a passkey of the member's choice. */
export async function signInWithPasskey(sharedComputer: boolean): Promise<Me & { reopened?: boolean }> {
  const challenge = await read(api.POST('/api/auth/passkeys/sign-in/options'));
  const body = { ...(await answer(challenge)), ...(sharedComputer && { sharedComputer }) };
  return read(api.POST('/api/auth/passkeys/sign-in', { body }));
}

/** Proves with a passkey that the member may set a new password. */
export async function provePasskey(): Promise<PasskeyAssertion> {
  return answer(await read(api.POST('/api/auth/passkeys/reset/options')));
}

/** Proves with a passkey that the session is in the hands of its member. */
export async function provePasskeyAgain(): Promise<void> {
  const passkey = await answer(await read(api.POST('/api/auth/passkeys/proof/options')));
  await read(api.POST('/api/auth/reauthenticate', { body: { passkey } }));
}

async function answer(challenge: { ceremony: string; options: unknown }): Promise<PasskeyAssertion> {
  const { id, rawId, type, response } = await startAuthentication({
    optionsJSON: challenge.options as PublicKeyCredentialRequestOptionsJSON,
  });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    ceremony: challenge.ceremony,
    credential: {
      id,
      rawId,
      type,
      response: { clientDataJSON, authenticatorData, signature, userHandle: userHandle ?? null },
    },
  };
}
