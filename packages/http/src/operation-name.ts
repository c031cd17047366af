/** Input of an operation's name: method, path, and whether it creates or lists something. */
export interface OperationAddress {
  readonly method: string;
  /** Without the common prefix of the document's paths. */
  readonly path: string;
  readonly creates: boolean;
  readonly lists: boolean;
}

const verbs: Readonly<Record<string, string>> = {
  get: "read",
  put: "replace",
  patch: "update",
  delete: "delete",
};

/**
 * Returns a name for an operation that declares none: `listRoles`, `readRole`, `createRoleMember`, `deactivateUser`,
 * `previewSchemaTables`.
 */
export function operationName({ method, path, creates, lists }: OperationAddress): string {
  const segments = path.split("/").filter((segment) => segment !== "");
  const words = segments.flatMap((segment, index) => {
    if (segment.startsWith("{")) return [];
    const isOne = segments[index + 1]?.startsWith("{") === true;
    return [isOne ? singular(segment) : segment];
  });
  const last = words.at(-1) ?? "";
  if (method === "post" && !creates && words.length > 1) {
    return camel([last, ...words.slice(0, -1)]);
  }
  if (creates) return camel(["create", ...words.slice(0, -1), singular(last)]);
  return camel([lists && method === "get" ? "list" : (verbs[method] ?? method), ...words]);
}

function singular(word: string): string {
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

function camel(words: readonly string[]): string {
  return words
    .flatMap((word) => word.split(/[^A-Za-z0-9]+/))
    .filter((word) => word !== "")
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
}
