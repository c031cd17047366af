import { createFault, type Fault, throwFaults } from "@rowhouse/errors";
import type { DefElem, Node, RangeVar } from "libpg-query";
import { parseStatements, scannedTokens, treeTextOf } from "../base/sql-grammar.ts";
import { placeAtByte, type TextPlace } from "../base/text-place.ts";
import { isReservedSchema, namePartsOf } from "../type-name.ts";
import { scratch } from "./scope-sql.ts";
import {
  definitionOption,
  objectOfStatement,
  type StatementObject,
  statementOf,
} from "./statement-objects.ts";

/** A statement of a file of the catalogue that may run. */
export interface CatalogueFileStatement {
  readonly object: StatementObject;
  readonly sql: string;
  readonly place: TextPlace;
  /** The meaning of the text: two statements with the same tree do the same. */
  readonly tree: string;
  /** Whether it creates a function that runs with the rights of its owner. */
  readonly isDefiner: boolean;
  /** The logins of PostgreSQL that it names. */
  readonly logins: readonly string[];
}

/** The object that the path of a file names; the name is null for a schema itself. */
export interface FileObject {
  readonly schema: string;
  readonly name: string | null;
}

const hasNoPlace = "A file of sql/ has CREATE, ALTER and COMMENT of the object that its path names";

/** What files say in another way, or not at all. */
const refusals: Readonly<Record<string, string>> = {
  CreateEnumStmt: "An enum type is a document: types/<schema>/<name>.yaml",
  AlterEnumStmt: "An enum type is a document: types/<schema>/<name>.yaml",
  GrantStmt: "Files do not carry privileges of PostgreSQL",
  GrantRoleStmt: "Files do not carry privileges of PostgreSQL",
  AlterDefaultPrivilegesStmt: "Files do not carry privileges of PostgreSQL",
  AlterOwnerStmt: "The service's login owns what files create",
  CreateExtensionStmt: "The root file names extensions, and the database must have them",
  AlterFunctionStmt: "Write what ALTER would change into CREATE FUNCTION",
  TransactionStmt: "An apply is one transaction",
  DropStmt: "What stands in no file is dropped by the plan",
};

/**
 * Parses a file of the catalogue and accepts only statements that create, alter or comment on the object of its path and what
 * belongs to it.
 *
 * @param path the JSON pointer of the text, for the error
 * @throws AppError EXPRESSION_INVALID with the line and column of each fault
 */
export async function guardCatalogueFile(
  text: string,
  file: FileObject,
  path: string,
): Promise<CatalogueFileStatement[]> {
  const faults: Fault[] = [];
  const keys = new Set<string>();
  const statements = (await parseStatements(text, path)).flatMap((parsed) => {
    const { sql, node, start } = parsed;
    const place = placeAtByte(text, start);
    const refuse = (message: string, at: TextPlace = place) =>
      void faults.push(createFault("EXPRESSION_INVALID", { path, message, details: { ...at } }));
    const object = objectOfStatement(parsed);
    if (object === undefined) {
      refuse(refusals[Object.keys(node)[0] ?? ""] ?? hasNoPlace);
      return [];
    }
    if (isReservedSchema(object.schema) || object.schema === scratch) {
      refuse(`The schema ${object.schema} belongs to PostgreSQL or the service`);
      return [];
    }
    if (!belongs(object, file)) {
      refuse(`This statement is of ${object.key}, which is another object than that of the path`);
      return [];
    }
    for (const { message, location } of findRefused(node)) {
      refuse(message, location === undefined ? place : placeAtByte(text, location));
    }
    if (keys.has(object.key)) refuse(`A second statement says something of ${object.key}`);
    keys.add(object.key);
    const { name } = file;
    return [
      {
        ...{ object: { ...object, name }, sql, place, tree: treeOf(node) },
        ...{ isDefiner: isDefiner(node), logins: loginsOf(node) },
      },
    ];
  });
  throwFaults(faults);
  // Names are redirected as they are written.
  const coded = statements.find(({ sql }) =>
    scannedTokens(sql).some(({ text: token }) => /^u&"/i.test(token)),
  );
  if (coded !== undefined) {
    const message = 'Write the characters of names themselves, without U&""';
    throwFaults([
      createFault("EXPRESSION_INVALID", { path, message, details: { ...coded.place } }),
    ]);
  }
  return statements;
}

/** Returns the meaning of a statement that PostgreSQL has written, and what it is of. */
export async function readCatalogueStatement(
  sql: string,
): Promise<{ readonly object: StatementObject; readonly tree: string } | undefined> {
  const [parsed] = await parseStatements(sql, "");
  const object = parsed && objectOfStatement(parsed);
  return object && { object, tree: treeOf(parsed.node) };
}

/** `OR REPLACE` does not change what a statement creates. */
function treeOf(node: Node): string {
  return treeTextOf(node).replace(/"replace":true,?/g, "");
}

/** Whether a statement, of which this is the tree, names a relation with its schema. */
export function namesRelation(
  tree: string,
  { schema, name }: { readonly schema: string; readonly name: string },
): boolean {
  const [relation, owner] = [name, schema].map((text) => JSON.stringify(text));
  return tree.includes(`"relname":${relation},"relpersistence":"p","schemaname":${owner}`);
}

function belongs({ schema, name, kind }: StatementObject, file: FileObject): boolean {
  if (schema !== file.schema) return false;
  if (file.name === null) return name === null;
  // The grammar does not say whose index or sequence it is: the schema, and the name of the table, are all that it can be
  // held to.
  if (kind === "comment on index") return true;
  if (kind === "name of sequence") return name?.startsWith(`${file.name}_`) === true;
  return name === file.name;
}

function isDefiner(node: Node): boolean {
  const options = statementOf(node, "CreateFunctionStmt")?.options;
  const { arg } = definitionOption(options, "security") ?? ({} as DefElem);
  return arg !== undefined && statementOf(arg, "Boolean")?.boolval === true;
}

function loginsOf(node: Node): string[] {
  return (statementOf(node, "CreatePolicyStmt")?.roles ?? []).flatMap(
    (role) => statementOf(role, "RoleSpec")?.rolename ?? [],
  );
}

interface Refused {
  readonly message: string;
  readonly location?: number | undefined;
}

const viewOptions = new Set(["security_barrier", "security_invoker", "check_option"]);

/** What a statement of a file may not have, although it is of the object of its path. */
function* findRefused(node: Node): Generator<Refused> {
  yield* ofReservedSchemas(node);
  const table = statementOf(node, "CreateStmt");
  if (table !== undefined) {
    if (table.if_not_exists === true) yield repeated;
    if (table.relation?.relpersistence === "t") yield temporary;
    if (table.options !== undefined) yield parameters;
    if (table.tablespacename !== undefined) yield tablespace;
  }
  const view = statementOf(node, "ViewStmt");
  if (view?.view?.relpersistence === "t") yield temporary;
  yield* unknownOptions(view?.options);
  const materialized = statementOf(node, "CreateTableAsStmt");
  if (materialized !== undefined) {
    if (materialized.into?.skipData !== true) {
      yield { message: "A materialized view is created WITH NO DATA, and filled by a refresh" };
    }
    if (materialized.if_not_exists === true) yield repeated;
    if (materialized.into?.options !== undefined) yield parameters;
    if (materialized.into?.tableSpaceName !== undefined) yield tablespace;
  }
  const sequence = statementOf(node, "CreateSeqStmt");
  if (sequence?.if_not_exists === true) yield repeated;
  if (sequence?.sequence?.relpersistence === "t") yield temporary;
  const index = statementOf(node, "IndexStmt");
  if (index !== undefined) {
    if (index.concurrent === true)
      yield { message: "CONCURRENTLY does not work in the transaction of an apply" };
    if (index.if_not_exists === true) yield repeated;
    if (index.tableSpace !== undefined) yield tablespace;
  }
  const rule = statementOf(node, "RuleStmt");
  if (rule?.event === "CMD_SELECT") yield { message: "The SELECT of a view is no rule in files" };
  const schema = statementOf(node, "CreateSchemaStmt");
  if (schema?.authrole !== undefined)
    yield { message: "The service's login owns what files create" };
  if (schema?.schemaElts !== undefined) yield { message: "Each object has a file of its own" };
  if (schema?.if_not_exists === true) yield repeated;
  const alteration = statementOf(node, "AlterTableStmt");
  if (alteration?.missing_ok === true) yield repeated;
  for (const command of alteration?.cmds ?? []) yield* ofCommand(command);
  if (statementOf(node, "RenameStmt")?.missing_ok === true) yield repeated;
  const routine = statementOf(node, "CreateFunctionStmt");
  if (routine !== undefined) yield* ofRoutine(routine.options);
}

const repeated = {
  message: "Write it without IF EXISTS and IF NOT EXISTS: files say what there is",
};
const temporary = { message: "Files do not carry temporary objects" };
const parameters = { message: "Files do not carry storage parameters" };
const tablespace = { message: "Files do not carry tablespaces" };

function* unknownOptions(options: readonly Node[] | undefined): Generator<Refused> {
  for (const option of options ?? []) {
    const { defname = "" } = statementOf(option, "DefElem") ?? {};
    if (!viewOptions.has(defname)) yield { message: `A view has no option ${defname} in files` };
  }
}

function* ofCommand(node: Node): Generator<Refused> {
  const { subtype, def } = statementOf(node, "AlterTableCmd") ?? {};
  if (def === undefined) return;
  const constraint = statementOf(def, "Constraint");
  if (constraint?.indexname !== undefined) {
    yield { message: "USING INDEX is not in files: the constraint creates its own index" };
  }
  if (constraint?.indexspace !== undefined) yield tablespace;
  if (subtype === "AT_SetRelOptions") yield* unknownOptions(statementOf(def, "List")?.items);
  if (
    subtype === "AT_AlterColumnType" &&
    statementOf(def, "ColumnDef")?.raw_default !== undefined
  ) {
    yield { message: "The type of a column, and USING, belong to the table's document" };
  }
}

const languages: Readonly<Record<string, string>> = {
  c: "Functions in C run outside of PostgreSQL's privileges",
  internal: "Functions of PostgreSQL itself are not in files",
};

/** Settings that would change who runs a function, or what the service records of it. */
const settings =
  /^(?:role|session_authorization|session_replication_role|rowhouse\..*|default_transaction_.*|transaction_.*|allow_system_table_mods|(?:local|session)_preload_libraries|dynamic_library_path|log_.*)$/i;

function* ofRoutine(options: readonly Node[] | undefined): Generator<Refused> {
  for (const node of options ?? []) {
    const { defname, arg, location } = statementOf(node, "DefElem") ?? {};
    if (arg === undefined) continue;
    if (defname === "language") {
      const refusal = languages[(statementOf(arg, "String")?.sval ?? "").toLowerCase()];
      if (refusal !== undefined) yield { message: refusal, location };
    }
    const setting = defname === "set" ? statementOf(arg, "VariableSetStmt") : undefined;
    if (setting === undefined) continue;
    const { name = "", kind } = setting;
    for (const path of name === "search_path" ? (setting.args ?? []) : []) {
      const schemaName = statementOf(path, "A_Const")?.sval?.sval;
      if (ownSchemas.has(schemaName ?? "")) yield reserved(schemaName, location);
    }
    if (kind === "VAR_SET_CURRENT") {
      yield { message: "Write the value: FROM CURRENT would be that of the apply", location };
    } else if (kind !== "VAR_SET_VALUE" || settings.test(name)) {
      yield { message: `A function of files may not set ${name || "this"}`, location };
    }
  }
}

const ownSchemas = new Set(["system", "rowhouse_queue"]);

/** The fields of the grammar that hold a name with its schema. */
const nameFields = new Set([
  ...["funcname", "names", "name", "typeName", "domainname", "defnames", "objname"],
  ...["collname", "collation", "opclass"],
  // The sequence of an identity, and the column that owns one.
  "items",
]);

/** The names of relations, types and functions in the service's own schemas, and those of other databases. */
function* ofReservedSchemas(value: unknown): Generator<Refused> {
  if (Array.isArray(value)) {
    for (const item of value) yield* ofReservedSchemas(item);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const { schemaname, catalogname, location } = value as RangeVar;
    if (key === "schemaname" && ownSchemas.has(schemaname ?? ""))
      yield reserved(schemaname, location);
    if (key === "catalogname" && catalogname !== undefined) {
      yield { message: "Files name objects of their own database", location };
    }
    const isName = nameFields.has(key) && Array.isArray(inner);
    const [schema, ...rest] = isName ? namePartsOf(inner as Node[]) : [];
    if (rest.length > 0 && ownSchemas.has(schema ?? "")) yield reserved(schema, location);
    yield* ofReservedSchemas(inner);
  }
}

function reserved(schema: string | undefined, location: number | undefined): Refused {
  return { message: `The schema ${schema ?? ""} belongs to the service`, location };
}
