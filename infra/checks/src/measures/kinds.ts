/** A kind of administrative record, with the names by which code refers to it. */
type Kind = {
  /** Its name in the audit log. */
  readonly name: string;
  /** Its table in the schema `system`. */
  readonly table: string;
  /** The segments of its paths: of its API, of its pages, and its folder of configuration documents. */
  readonly paths: readonly string[];
  /** A field that is as plain as most: its files are those that a further field would touch. */
  readonly field?: string;
};

// A new kind of record joins the list. Words alone, such as `role`, have other meanings, so that a file counts only if it has a name
// in one of the forms below.
const kinds: readonly Kind[] = [
  { name: "role", table: "roles", paths: ["roles"], field: "tokenCreation" },
  {
    name: "auth_provider",
    table: "auth_providers",
    paths: ["auth-providers", "providers"],
    field: "allowedDomains",
  },
  { name: "template", table: "templates", paths: ["templates"] },
  { name: "user", table: "users", paths: ["users"], field: "lastSignInAt" },
  { name: "grant", table: "grants", paths: ["grants"] },
  { name: "resource", table: "resources", paths: ["resources"] },
  { name: "dashboard", table: "dashboards", paths: ["dashboards"] },
  { name: "data_view", table: "data_views", paths: ["data-views"] },
  { name: "workflow", table: "workflows", paths: ["workflows"] },
  { name: "workflow_secret", table: "workflow_secrets", paths: ["workflow-secrets"] },
  { name: "provider_secret", table: "provider_secrets", paths: ["provider-secrets"] },
  { name: "invitation", table: "invitations", paths: ["invitations"] },
];

/** Where a file stands: the sources of apps and packages, the words of the console, tests with tools, documents, or what nobody writes. */
export type FileGroup = "source" | "words" | "tests" | "docs" | "generated";
export type NamingFile = { readonly group: FileGroup; readonly path: string };

/** The hand-written and generated files that name a kind (`role`) or its field (`role.tokenCreation`). */
export type Naming = { readonly of: string; readonly files: readonly NamingFile[] };

const generated =
  /\.generated\.|\/api\.md$|\/__snapshots__\/|^packages\/db\/schema\.sql$|^docs\/errors\.md$/;

/** Returns the group of a file; undefined for one that nobody changes for a new field, such as a released migration. */
export function groupOf(path: string): FileGroup | undefined {
  if (!/\.(?:tsx?|mjs|sql|md|snap|yaml)$/.test(path)) return undefined;
  if (
    /^CHANGELOG\.md$|^packages\/db\/migrations\/|^docs\/decisions\/|^infra\/checks\//.test(path)
  ) {
    return undefined;
  }
  if (generated.test(path)) return "generated";
  if (path.endsWith(".md")) return "docs";
  if (path.startsWith("apps/console/src/words/")) return "words";
  if (/^(?:apps|packages)\/[\w-]+\/src\//.test(path)) return "source";
  return "tests";
}

/** Finds the files that name each kind and each of the listed fields. */
export function findNamings(texts: ReadonlyMap<string, string>): Naming[] {
  return kinds.flatMap((kind) => [
    { of: kind.name, files: filesWith(texts, namesKind(kind)) },
    ...(kind.field === undefined
      ? []
      : [{ of: `${kind.name}.${kind.field}`, files: filesWith(texts, namesField(kind.field)) }]),
  ]);
}

/** Finds the files that name a field, in any of its spellings. */
export function findField(texts: ReadonlyMap<string, string>, field: string): Naming {
  return { of: field, files: filesWith(texts, namesField(field)) };
}

/** Counts the files of a group. */
export function countGroup({ files }: Naming, group: FileGroup): number {
  return files.filter((file) => file.group === group).length;
}

type Test = (text: string) => boolean;

function filesWith(texts: ReadonlyMap<string, string>, isNamed: Test): NamingFile[] {
  return [...texts].flatMap(([path, text]) => {
    const group = groupOf(path);
    return group !== undefined && isNamed(text) ? [{ group, path }] : [];
  });
}

/** `"role"` and `"role.create"`, `system.roles` or its table in Drizzle, and `/roles` where it is no path of a file. */
function namesKind({ name, table, paths }: Kind): Test {
  const camel = table.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const path = paths.join("|");
  // A pattern is tried only on a text that contains the word, which is quicker by half.
  const forms: [string, RegExp][] = [
    [name, new RegExp(`["'\`]${name}(?:\\.[a-z_]+)?["'\`]`)],
    [`system.${table}`, new RegExp(`system\\.${table}\\b`)],
    [`(${camel})`, new RegExp(`\\.(?:from|insert|update|delete)\\(${camel}\\)`)],
    ["/", new RegExp(`/(?:${path})(?![\\w.-]|/[\\w/.-]*\\.(?:tsx?|md)\\b)`)],
  ];
  return (text) => forms.some(([word, pattern]) => text.includes(word) && pattern.test(text));
}

/** `tokenCreation`, `token_creation`, `token-creation` and `TokenCreation`. */
function namesField(field: string): Test {
  const words = field.split(/(?=[A-Z])/);
  const either = words.map(
    ([letter = "", ...rest]) => `[${letter.toLowerCase()}${letter.toUpperCase()}]${rest.join("")}`,
  );
  const pattern = new RegExp(`(?<![a-z])${either.join("[_-]?")}(?![a-z])`);
  return (text) => pattern.test(text);
}
