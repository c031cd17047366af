const idForm = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const addressForm = /\/api\/files\/([0-9a-f-]{36})(?:[/?#]|$)/i;

/**
 * Returns the id of the file that a picture shows: a reference to a file, or the address of one of our own. An address of
 * another origin is never loaded.
 */
export function fileIdOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (idForm.test(value)) return value;
  if (!value.startsWith("/") && !value.startsWith(`${location.origin}/`)) return undefined;
  const [, id = ""] = addressForm.exec(value) ?? [];
  return idForm.test(id) ? id : undefined;
}
