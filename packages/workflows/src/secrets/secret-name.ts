/** The form of a secret's name, in templates and in the Admin API. */
export const secretNameForm = /^[A-Z][A-Z0-9_]{0,62}$/;

/** Returns whether `name` has the form of a secret's name. */
export function isSecretName(name: string): boolean {
  return secretNameForm.test(name);
}

/** Returns the context that a value is encrypted for. It cannot be decrypted under another name. */
export function secretContextOf(name: string): string {
  return `workflow secret ${name}`;
}
