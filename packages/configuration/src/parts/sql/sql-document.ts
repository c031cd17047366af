import type { CatalogueStatement } from "@rowhouse/ddl";
import { encodeName } from "@rowhouse/wire";
import { z } from "zod";
import { type Described, describedIn, isUncarried } from "../../documents/described.ts";
import { decodeName } from "../../documents/document-name.ts";
import { matcherOf } from "../../documents/elsewhere.ts";
import type { State, Unwritten } from "../../model/part.ts";
import { structureOf } from "../tables/read-tables.ts";

export const sqlSchema = z.strictObject({
  /** Statements that create an object of the catalogue and what belongs to it. */
  text: z.string(),
});

/** The file of a name: every object of the catalogue that has it, as far as no other document says what it is. */
export interface SqlDocument extends z.output<typeof sqlSchema>, Unwritten {
  /** In the present state: those of the text. */
  readonly statements?: readonly CatalogueStatement[] | undefined;
}

/** Returns the path of the file of a name, or of a schema itself. */
export function pathOfSql(schema: string, name: string | null): string {
  return `sql/${[schema, ...(name === null ? [] : [name])].map(encodeName).join("/")}.sql`;
}

/** Returns the schema, and the name that is not that of a schema itself. */
export function namesOfSql(path: string): readonly string[] | undefined {
  const parts = /^sql\/([^/]+)(?:\/([^/]+))?\.sql$/.exec(path)?.slice(1) ?? [];
  const given = parts.filter((part) => part !== undefined);
  const names = given.flatMap((part) => decodeName(part) ?? []);
  const isName = given.length > 0 && names.length === given.length && !names.includes("");
  return isName ? names : undefined;
}

/**
 * Reads the statements of the catalogue that no other document says, by the path of their file.
 *
 * @param elsewhere what belongs to other tools; by default that of the state
 */
export async function readSql(
  state: State,
  elsewhere = state.elsewhere,
): Promise<Map<string, SqlDocument>> {
  const described = await describedIn(state);
  const isCarried = carriedIn(elsewhere, described);
  const files = new Map<string, CatalogueStatement[]>();
  for (const statement of described.statements) {
    if (!isCarried(statement)) continue;
    const path = pathOfSql(statement.schema, statement.name);
    const file = files.get(path);
    if (file === undefined) files.set(path, [statement]);
    else file.push(statement);
  }
  return new Map(
    [...files].map(([path, statements]) => [path, { text: textOf(statements), statements }]),
  );
}

function textOf(statements: readonly CatalogueStatement[]): string {
  return statements.map(({ sql }) => `${sql};\n`).join("\n");
}

interface Relation {
  readonly isWhole: boolean;
  /** The names of what its document does not describe. */
  readonly undescribed: ReadonlySet<string>;
  /** The names of what the last applied document leaves to other tools. */
  readonly left: ReadonlySet<string>;
  readonly serials: readonly string[];
}

/** Returns whether a statement belongs to the files: no other document says it, and no other tool has it. */
function carriedIn(
  elsewhere: State["elsewhere"],
  { tables, views }: Described,
): (statement: CatalogueStatement) => boolean {
  const isOthers = matcherOf(elsewhere.patterns);
  const relations = new Map<string, Relation>();
  const left = (path: string) => elsewhere.documents[path];
  for (const table of tables) {
    const key = keyOf(table.schema, table.name);
    const said = left(`tables/${key}.yaml`);
    if (said?.managed === true) continue;
    relations.set(key, {
      isWhole: table.uncarried !== null,
      undescribed: new Set(structureOf(table, () => undefined).elsewhere),
      left: new Set(said?.objects),
      serials: table.serials,
    });
  }
  for (const view of views) {
    const key = keyOf(view.schema, view.name);
    const said = left(`views/${key}.yaml`);
    if (said?.managed === true) continue;
    const { isWhole, others } = view;
    const own = new Set(others);
    relations.set(key, {
      ...{ isWhole, undescribed: own, left: new Set(said?.objects), serials: [] },
    });
  }
  return (statement) => {
    const { schema, name, scope, object, owner, isOfRelation } = statement;
    if (isOthers(schema, name ?? "")) return false;
    if (owner !== null) {
      const table = relations.get(keyOf(owner.schema, owner.name));
      if (table === undefined || isOthers(owner.schema, owner.name)) return false;
      return table.isWhole || !table.serials.includes(owner.column);
    }
    if (!isOfRelation) return true;
    const relation = relations.get(keyOf(schema, name ?? ""));
    if (relation === undefined) return false;
    const { isWhole, undescribed } = relation;
    if (object !== null && (relation.left.has(object) || isLeft(statement))) return false;
    switch (scope) {
      case "WHOLE":
        return isWhole;
      case "PART":
        return !isWhole;
      case "OBJECT":
        return !isWhole && undescribed.has(object ?? "");
      case "BOTH":
        return isWhole || undescribed.has(object ?? "");
      case "DESCRIBED":
        return !isWhole && !undescribed.has(object ?? "");
      default:
        return true;
    }
  };
}

/** The options of a plain view guard its rows; those of others are of their storage. */
function isLeft({ object, sql }: CatalogueStatement): boolean {
  return isUncarried(object ?? "") && !sql.startsWith("ALTER VIEW ");
}

function keyOf(schema: string, name: string): string {
  return `${encodeName(schema)}/${encodeName(name)}`;
}
