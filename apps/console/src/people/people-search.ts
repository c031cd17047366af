/** The filters of a list of people, as the address of its page has them. */
export interface PeopleSearch {
  readonly search?: string | undefined;
  /** A choice of the page: whether users are active, or the state of tokens. */
  readonly state?: string | undefined;
  /** Whether users have API access. */
  readonly access?: string | undefined;
  /** Owner of tokens. */
  readonly userId?: string | undefined;
  readonly tab?: string | undefined;
  /** Whether tokens are those of programs that persons have given access. */
  readonly client?: string | undefined;
  /** What the rights of a role show, as in the matrix of all roles. */
  readonly schema?: string | undefined;
  readonly hidden?: string | undefined;
}

const names = ["search", "state", "access", "userId", "tab", "client", "schema", "hidden"] as const;

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readPeopleSearch(raw: Readonly<Record<string, unknown>>): PeopleSearch {
  const entries = names.map((name) => {
    const value = raw[name];
    const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    return [name, typeof text === "string" && text !== "" ? text : undefined];
  });
  return Object.fromEntries(entries) as PeopleSearch;
}

/** The parameter of a request that searches for a text. */
export function searchOf({ search }: PeopleSearch): { readonly search?: string } {
  return search === undefined ? {} : { search };
}
