/** The texts of exposure and grants in English. */
export const access = {
  title: "Access",
  action: { READ: "read", CREATE: "create", UPDATE: "change", DELETE: "delete" },
  part: { rowFilter: "row filter", check: "check", presets: "presets" },
  state: {
    NONE: "no grant",
    FIELDS: "some fields",
    ROWS: "row filter",
    BOTH: "row filter, some fields",
    ALL: "all rows and fields",
    LOST: "not effective",
  },
  lost: {
    title:
      "{count, plural, one {# grant allows nothing, because a column that it uses was dropped.} other {# grants allow nothing, because columns that they use were dropped.}}",
    grant: "{role} may {action} {resource}",
    part: "{part}: {name}",
  },
  matrix: {
    text: "Each row is a table or view: the methods that it accepts, and what each role may do with it. Members of Administrators need no grant.",
    resource: "Table or view",
    exposure: "Exposed",
    method: "Method {method}",
    accepts: "{method} is exposed",
    refuses: "{method} is hidden",
    shut: "granted, but the method is hidden",
    noAccess: "{name} has no API access",
    search: "Name contains",
    schema: "Schema",
    role: "Role",
    all: "All",
    legend: "Marks",
    empty: "There is no table yet.",
  },
};
