/** How a secret is named, in templates as in the Admin API. */
export const secretNameForm = /^[A-Z][A-Z0-9_]{0,62}$/;

/** Whether `name` could be a secret's. */
export function isSecretName(name: string): boolean {
  return secretNameForm.test(name);
}

/** What a value is sealed for: under another name it does not open. */
export function contextOf(name: string): string {
  return `workflow secret ${name}`;
}
