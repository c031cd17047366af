/** The relation and column that a column of a query refers to directly. */
export interface ColumnOrigin {
  readonly relationOid: number;
  readonly attributeNumber: number;
}

/**
 * Reads the stored query of a view (`pg_rewrite.ev_action`) in PostgreSQL's text form of node trees: `{NAME :field
 * value …}` for a node, `(…)` for a list, `<>` for null, a backslash before an escaped character.
 *
 * @returns the origins by the number of the view's column; empty for a set operation, which combines rows of several
 * columns
 */
export function readOrigins(rule: string): ReadonlyMap<number, ColumnOrigin> {
  const origins = new Map<number, ColumnOrigin>();
  // ( {QUERY :targetList ( {TARGETENTRY :resno … } … ) … } )
  const queryDepth = 2;
  const entryDepth = 4;
  let depth = 0;
  let queryField = "";
  let entryField = "";
  let entry: Record<string, string> = {};
  let isSetOperation = false;
  for (const [token] of rule.matchAll(tokenPattern)) {
    if (token === "(" || token === "{") {
      depth += 1;
      if (depth === queryDepth + 1 && queryField === ":setOperations") isSetOperation = true;
      if (depth === entryDepth && queryField === ":targetList") {
        entry = {};
        entryField = "";
      }
      continue;
    }
    if (token === ")" || token === "}") {
      if (depth === entryDepth && queryField === ":targetList") addOrigin(origins, entry);
      depth -= 1;
      continue;
    }
    if (depth === queryDepth) {
      if (token.startsWith(":")) queryField = token;
    } else if (depth === entryDepth && queryField === ":targetList") {
      if (token.startsWith(":")) entryField = token;
      else entry[entryField] ??= token;
    }
  }
  return isSetOperation ? new Map() : origins;
}

const tokenPattern = /[(){}]|(?:\\.|[^\s(){}\\])+/gs;

function addOrigin(
  origins: Map<number, ColumnOrigin>,
  entry: Readonly<Record<string, string>>,
): void {
  const number = Number(entry[":resno"]);
  const relationOid = Number(entry[":resorigtbl"]);
  const attributeNumber = Number(entry[":resorigcol"]);
  if (entry[":resjunk"] !== "false" || !(relationOid > 0) || !(attributeNumber > 0)) return;
  origins.set(number, { relationOid, attributeNumber });
}
