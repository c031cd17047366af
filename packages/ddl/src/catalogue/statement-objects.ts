import { quoteIdentifier, quoteQualified } from "@rowhouse/db";
import { encodeName } from "@rowhouse/wire";
import type {
  AlterTableCmd,
  AlterTableStmt,
  CommentStmt,
  DefElem,
  FunctionParameter,
  Node,
  RangeVar,
  TypeName,
} from "libpg-query";
import { type ParsedStatement, textUpToLast } from "../base/sql-grammar.ts";
import { namePartsOf } from "../type-name.ts";
import { statementStages } from "./scope-sql.ts";

/** How an object that exists gets another definition. `NEVER`: PostgreSQL cannot, or only with the loss of rows. */
export type ObjectReplacement = "OR_REPLACE" | "DROP" | "RUN" | "NEVER";

/** What a statement of the catalogue creates or changes. */
export interface StatementObject {
  /** The object to which it belongs; the name is null for a schema. */
  readonly schema: string;
  readonly name: string | null;
  /** The table whose partition it is. */
  readonly parent?: { readonly schema: string; readonly name: string };
  /** The index of a comment. */
  readonly indexName?: string;
  /** `trigger`, `comment on function`. */
  readonly kind: string;
  /** Two statements with the same key say something of the same thing: `trigger fleet.trips.audit_rows`. */
  readonly key: string;
  readonly replacement: ObjectReplacement;
  /** The statement that takes it back; null if there is none. */
  readonly drop: string | null;
  /** Whether it is a comment or another name, whose removal needs no consent. */
  readonly isRemark: boolean;
}

type StatementName = Node extends infer Each ? (Each extends unknown ? keyof Each : never) : never;
type StatementOf<Name extends StatementName> =
  Extract<Node, Record<Name, unknown>> extends Record<Name, infer Statement> ? Statement : never;

/** Returns the statement of a node, if it is one of this kind. */
export function statementOf<Name extends StatementName>(
  node: Node,
  name: Name,
): StatementOf<Name> | undefined {
  return (node as Partial<Record<Name, StatementOf<Name>>>)[name];
}

interface Names {
  readonly schema: string;
  readonly name: string;
}

const nameOf = ({ schemaname = "", relname = "" }: RangeVar = {}): Names => ({
  schema: schemaname,
  name: relname,
});

function nameOfList(nodes: readonly Node[] | undefined): Names {
  const parts = namePartsOf(nodes);
  return parts.length === 2
    ? { schema: parts[0] ?? "", name: parts[1] ?? "" }
    : { schema: "", name: parts.at(-1) ?? "" };
}

const quoted = ({ schema, name }: Names) => quoteQualified(schema, name);

function objectOf(
  { schema, name }: Names,
  kind: string,
  rest: Pick<StatementObject, "replacement" | "drop"> & {
    readonly of?: string | undefined;
    readonly isRemark?: boolean;
  },
): StatementObject {
  const { of, isRemark = false, ...others } = rest;
  const suffix = of === undefined ? "" : of.startsWith("(") ? of : `.${encodeName(of)}`;
  const key = `${kind} ${encodeName(schema)}.${encodeName(name)}${suffix}`;
  return { ...{ schema, name, kind, key, isRemark }, ...others };
}

/** The stage of statements by their kind; comments are last. */
const stageOfKind: Readonly<Record<string, number>> = {
  ...{
    schema: statementStages.schema,
    sequence: statementStages.sequence,
    domain: statementStages.type,
    type: statementStages.type,
  },
  ...{
    "default of domain": statementStages.typePart,
    "not null of domain": statementStages.typePart,
  },
  ...{ "constraint of domain": statementStages.typePart, function: statementStages.function },
  ...{
    procedure: statementStages.function,
    aggregate: statementStages.aggregate,
    table: statementStages.table,
  },
  ...{
    "not null": statementStages.inherited,
    unlogged: statementStages.persistence,
    collation: statementStages.collation,
  },
  ...{
    identity: statementStages.identity,
    default: statementStages.default,
    constraint: statementStages.constraint,
  },
  ...{
    "foreign key": statementStages.foreignKey,
    index: statementStages.index,
    partition: statementStages.partition,
  },
  ...{
    "name of primary key": statementStages.keyName,
    "name of sequence": statementStages.keyName,
    "owner of sequence": statementStages.owner,
  },
  ...{
    view: statementStages.view,
    "materialized view": statementStages.view,
    "options of view": statementStages.viewOptions,
  },
  ...{
    trigger: statementStages.trigger,
    "state of trigger": statementStages.triggerState,
    rule: statementStages.rule,
  },
  ...{ "state of rule": statementStages.ruleState, policy: statementStages.policy },
  ...{
    "row security": statementStages.rowSecurity,
    "forced row security": statementStages.rowSecurity,
  },
};

/** Returns the place of a statement in the order of creation; see `statementStages`. */
export function stageOf({ kind }: Pick<StatementObject, "kind">): number {
  return stageOfKind[kind] ?? statementStages.comment;
}

/** What the grammar calls types, and what SQL calls them. */
const typeNames: Readonly<Record<string, string>> = {
  ...{ int2: "smallint", int4: "integer", int8: "bigint", bool: "boolean" },
  ...{ float4: "real", float8: "double precision", varchar: "character varying" },
  ...{ bpchar: "character", timestamptz: "timestamp with time zone" },
  ...{ timestamp: "timestamp without time zone", timetz: "time with time zone" },
  ...{ time: "time without time zone", varbit: "bit varying" },
};

function typeParts(type: TypeName): string[] {
  const [first, ...rest] = namePartsOf(type.names);
  return first === "pg_catalog" ? rest : [first ?? "", ...rest];
}

function typeKey(type: TypeName): string {
  const parts = typeParts(type);
  const name = parts.length === 1 ? (typeNames[parts[0] ?? ""] ?? parts[0]) : undefined;
  return (name ?? parts.map(encodeName).join(".")) + (type.arrayBounds === undefined ? "" : "[]");
}

function typeSql(type: TypeName): string {
  const names = namePartsOf(type.names).map(quoteIdentifier).join(".");
  return names + (type.arrayBounds === undefined ? "" : "[]");
}

interface Signature {
  readonly key: string;
  readonly sql: string;
}

/** @param directArguments how many arguments of an ordered-set aggregate stand before ORDER BY; -1 for another one */
function signature(types: readonly TypeName[], directArguments = -1): Signature {
  const list = types.map(typeSql);
  const sql =
    directArguments < 0
      ? list.join(", ")
      : `${list.slice(0, directArguments).join(", ")} ORDER BY ${list.slice(directArguments).join(", ")}`;
  return { key: `(${types.map(typeKey).join(", ")})`, sql };
}

function inputTypes(parameters: readonly Node[] | undefined): TypeName[] {
  return (parameters ?? []).flatMap((parameter) => {
    const { mode, argType }: FunctionParameter =
      statementOf(parameter, "FunctionParameter") ?? ({} as FunctionParameter);
    const isInput = mode !== "FUNC_PARAM_OUT" && mode !== "FUNC_PARAM_TABLE";
    return isInput && argType !== undefined ? [argType] : [];
  });
}

export function definitionOption(
  options: readonly Node[] | undefined,
  name: string,
): DefElem | undefined {
  return (options ?? [])
    .flatMap((option) => statementOf(option, "DefElem") ?? [])
    .find(({ defname }) => defname === name);
}

/**
 * Returns what a statement creates or changes; undefined if it is none that a file of the catalogue has. It does not check the
 * statement.
 */
export function objectOfStatement({ node, sql }: ParsedStatement): StatementObject | undefined {
  for (const describe of describers) {
    const found = describe(node);
    if (found === undefined) continue;
    return found.kind.startsWith("comment ")
      ? { ...found, drop: `${textUpToLast(sql, "is")} NULL` }
      : found;
  }
  return undefined;
}

function describer<Name extends StatementName>(
  name: Name,
  describe: (statement: StatementOf<Name>) => StatementObject | undefined,
): (node: Node) => StatementObject | undefined {
  return (node) => {
    const statement = statementOf(node, name);
    return statement === undefined ? undefined : describe(statement);
  };
}

const describers = [
  describer("CreateSchemaStmt", ({ schemaname: schema = "" }) => ({
    ...{ schema, name: null, kind: "schema", key: `schema ${encodeName(schema)}` },
    ...{ replacement: "NEVER", drop: null, isRemark: false },
  })),
  describer("CreateDomainStmt", ({ domainname }) => {
    const names = nameOfList(domainname);
    return objectOf(names, "domain", {
      replacement: "NEVER",
      drop: `DROP DOMAIN ${quoted(names)}`,
    });
  }),
  describer("AlterDomainStmt", ({ subtype, typeName, def }) => {
    const names = nameOfList(typeName);
    const alter = `ALTER DOMAIN ${quoted(names)} DROP`;
    if (subtype === "T" && def !== undefined) {
      return objectOf(names, "default of domain", { replacement: "RUN", drop: `${alter} DEFAULT` });
    }
    if (subtype === "O") {
      return objectOf(names, "not null of domain", {
        replacement: "RUN",
        drop: `${alter} NOT NULL`,
      });
    }
    const constraint = def && statementOf(def, "Constraint")?.conname;
    if (subtype !== "C" || constraint === undefined) return undefined;
    const drop = `${alter} CONSTRAINT ${quoteIdentifier(constraint)}`;
    return objectOf(names, "constraint of domain", { replacement: "DROP", drop, of: constraint });
  }),
  describer("CompositeTypeStmt", ({ typevar }) => {
    const names = nameOf(typevar);
    return objectOf(names, "type", { replacement: "NEVER", drop: `DROP TYPE ${quoted(names)}` });
  }),
  describer("CreateRangeStmt", ({ typeName }) => {
    const names = nameOfList(typeName);
    return objectOf(names, "type", { replacement: "NEVER", drop: `DROP TYPE ${quoted(names)}` });
  }),
  describer("CreateSeqStmt", ({ sequence }) => {
    const names = nameOf(sequence);
    return objectOf(names, "sequence", {
      replacement: "NEVER",
      drop: `DROP SEQUENCE ${quoted(names)}`,
    });
  }),
  describer("AlterSeqStmt", ({ sequence, options }) => {
    const names = nameOf(sequence);
    if (options?.length !== 1 || definitionOption(options, "owned_by") === undefined)
      return undefined;
    const drop = `ALTER SEQUENCE ${quoted(names)} OWNED BY NONE`;
    return objectOf(names, "owner of sequence", { replacement: "RUN", drop });
  }),
  describer("CreateFunctionStmt", ({ funcname, parameters, is_procedure: isProcedure }) => {
    const names = nameOfList(funcname);
    const of = signature(inputTypes(parameters));
    const kind = isProcedure === true ? "procedure" : "function";
    const drop = `DROP ${kind.toUpperCase()} ${quoted(names)}(${of.sql})`;
    return objectOf(names, kind, { replacement: "OR_REPLACE", drop, of: of.key });
  }),
  describer("DefineStmt", ({ kind, defnames, args }) => {
    if (kind !== "OBJECT_AGGREGATE") return undefined;
    const names = nameOfList(defnames);
    const [list, direct] = args ?? [];
    const items = list && statementOf(list, "List")?.items;
    const directArguments = direct && statementOf(direct, "Integer");
    const of = signature(inputTypes(items), directArguments?.ival ?? 0);
    const drop = `DROP AGGREGATE ${quoted(names)}(${items === undefined ? "*" : of.sql})`;
    return objectOf(names, "aggregate", { replacement: "OR_REPLACE", drop, of: of.key });
  }),
  describer("CreateStmt", ({ relation }) => {
    const names = nameOf(relation);
    return objectOf(names, "table", { replacement: "NEVER", drop: `DROP TABLE ${quoted(names)}` });
  }),
  describer("ViewStmt", ({ view }) => {
    const names = nameOf(view);
    const drop = `DROP VIEW ${quoted(names)}`;
    return objectOf(names, "view", { replacement: "OR_REPLACE", drop });
  }),
  describer("CreateTableAsStmt", ({ into, objtype }) => {
    const names = nameOf(into?.rel);
    if (objtype !== "OBJECT_MATVIEW") return undefined;
    const drop = `DROP MATERIALIZED VIEW ${quoted(names)}`;
    return objectOf(names, "materialized view", { replacement: "NEVER", drop });
  }),
  describer("AlterTableStmt", describeAlteration),
  describer("RenameStmt", ({ renameType, relation, subname, newname = "" }) => {
    const names = nameOf(relation);
    const to = quoteIdentifier(newname);
    if (renameType === "OBJECT_SEQUENCE") {
      const drop = `ALTER SEQUENCE ${quoteQualified(names.schema, newname)} RENAME TO ${quoteIdentifier(names.name)}`;
      return objectOf(names, "name of sequence", { replacement: "DROP", drop, isRemark: true });
    }
    if (renameType !== "OBJECT_TABCONSTRAINT" || subname !== `${names.name}_pkey`) return undefined;
    const drop = `ALTER TABLE ${quoted(names)} RENAME CONSTRAINT ${to} TO ${quoteIdentifier(subname)}`;
    return objectOf(names, "name of primary key", { replacement: "DROP", drop, isRemark: true });
  }),
  describer("IndexStmt", ({ relation, idxname }) => {
    const names = nameOf(relation);
    if (idxname === undefined) return undefined;
    const drop = `DROP INDEX ${quoteQualified(names.schema, idxname)}`;
    return objectOf(names, "index", { replacement: "DROP", drop, of: idxname });
  }),
  describer("CreateTrigStmt", ({ relation, trigname }) =>
    ofRelation(nameOf(relation), "trigger", trigname),
  ),
  describer("RuleStmt", ({ relation, rulename }) => ofRelation(nameOf(relation), "rule", rulename)),
  describer("CreatePolicyStmt", ({ table, policy_name: name }) =>
    ofRelation(nameOf(table), "policy", name),
  ),
  describer("CommentStmt", describeComment),
];

function ofRelation(names: Names, kind: string, of: string | undefined) {
  if (of === undefined) return undefined;
  const drop = `DROP ${kind.toUpperCase()} ${quoteIdentifier(of)} ON ${quoted(names)}`;
  return objectOf(names, kind, { replacement: "DROP", drop, of });
}

const states: Readonly<Record<string, string>> = {
  ...{ AT_EnableTrig: "trigger", AT_DisableTrig: "trigger" },
  ...{ AT_EnableAlwaysTrig: "trigger", AT_EnableReplicaTrig: "trigger" },
  ...{ AT_EnableRule: "rule", AT_DisableRule: "rule" },
  ...{ AT_EnableAlwaysRule: "rule", AT_EnableReplicaRule: "rule" },
};

function describeAlteration({
  relation,
  cmds,
  objtype,
}: AlterTableStmt): StatementObject | undefined {
  const names = nameOf(relation);
  const [command, ...more] = (cmds ?? []).flatMap((one) => statementOf(one, "AlterTableCmd") ?? []);
  if (command === undefined || more.length > 0) return undefined;
  if (objtype !== "OBJECT_TABLE" && objtype !== "OBJECT_VIEW") return undefined;
  if (objtype === "OBJECT_VIEW") return describeViewCommand(names, command);
  const found = describeTableCommand(names, command);
  return found?.kind === "partition" ? { ...found, parent: names } : found;
}

function describeViewCommand(
  names: Names,
  { subtype, name, def }: AlterTableCmd,
): StatementObject | undefined {
  const alter = `ALTER VIEW ${quoted(names)}`;
  if (subtype === "AT_ColumnDefault" && name !== undefined && def !== undefined) {
    const drop = `${alter} ALTER COLUMN ${quoteIdentifier(name)} DROP DEFAULT`;
    return objectOf(names, "default", { replacement: "RUN", drop, of: name });
  }
  if (subtype !== "AT_SetRelOptions") return undefined;
  const options = (def && statementOf(def, "List")?.items) ?? [];
  const list = options.flatMap((option) => statementOf(option, "DefElem")?.defname ?? []);
  const drop = `${alter} RESET (${list.map(quoteIdentifier).join(", ")})`;
  return objectOf(names, "options of view", { replacement: "DROP", drop });
}

function describeTableCommand(
  names: Names,
  { subtype = "AT_AddColumn", name, def }: AlterTableCmd,
): StatementObject | undefined {
  const alter = `ALTER TABLE ${quoted(names)}`;
  const column = name === undefined ? "" : `${alter} ALTER COLUMN ${quoteIdentifier(name)}`;
  const state = states[subtype];
  if (state !== undefined && name !== undefined) {
    const drop = `${alter} ENABLE ${state.toUpperCase()} ${quoteIdentifier(name)}`;
    return objectOf(names, `state of ${state}`, { replacement: "RUN", drop, of: name });
  }
  switch (subtype) {
    case "AT_AddConstraint": {
      const { conname: of, contype } = (def && statementOf(def, "Constraint")) ?? {};
      if (of === undefined) return undefined;
      const drop = `${alter} DROP CONSTRAINT ${quoteIdentifier(of)}`;
      const kind = contype === "CONSTR_FOREIGN" ? "foreign key" : "constraint";
      return objectOf(names, kind, { replacement: "DROP", drop, of });
    }
    case "AT_ColumnDefault":
      if (def === undefined) return undefined;
      return objectOf(names, "default", {
        replacement: "RUN",
        drop: `${column} DROP DEFAULT`,
        of: name,
      });
    case "AT_SetNotNull":
      return objectOf(names, "not null", {
        replacement: "RUN",
        drop: `${column} DROP NOT NULL`,
        of: name,
      });
    case "AT_SetIdentity":
      return objectOf(names, "identity", { replacement: "RUN", drop: null, of: name });
    case "AT_AlterColumnType": {
      const hasCollation = def && statementOf(def, "ColumnDef")?.collClause !== undefined;
      if (hasCollation !== true) return undefined;
      return objectOf(names, "collation", { replacement: "RUN", drop: null, of: name });
    }
    case "AT_SetUnLogged":
      return objectOf(names, "unlogged", { replacement: "NEVER", drop: null });
    case "AT_EnableRowSecurity":
      return objectOf(names, "row security", {
        replacement: "RUN",
        drop: `${alter} DISABLE ROW LEVEL SECURITY`,
      });
    case "AT_ForceRowSecurity":
      return objectOf(names, "forced row security", {
        replacement: "RUN",
        drop: `${alter} NO FORCE ROW LEVEL SECURITY`,
      });
    case "AT_AttachPartition": {
      // The statement belongs to the partition, which its first table is to get.
      const partition = def && statementOf(def, "PartitionCmd")?.name;
      if (partition === undefined) return undefined;
      return objectOf(nameOf(partition), "partition", { replacement: "NEVER", drop: null });
    }
    default:
      return undefined;
  }
}

const commented: Readonly<Record<string, string>> = {
  ...{ OBJECT_TABLE: "table", OBJECT_VIEW: "view", OBJECT_MATVIEW: "view" },
  ...{ OBJECT_SEQUENCE: "sequence", OBJECT_TYPE: "type", OBJECT_DOMAIN: "domain" },
  ...{ OBJECT_FUNCTION: "function", OBJECT_PROCEDURE: "procedure", OBJECT_AGGREGATE: "aggregate" },
  ...{ OBJECT_COLUMN: "column", OBJECT_TABCONSTRAINT: "constraint", OBJECT_TRIGGER: "trigger" },
  ...{ OBJECT_RULE: "rule", OBJECT_POLICY: "policy", OBJECT_DOMCONSTRAINT: "constraint" },
};

function describeComment({
  objtype = "OBJECT_ACCESS_METHOD",
  object,
  comment,
}: CommentStmt): StatementObject | undefined {
  if (object === undefined || comment === undefined) return undefined;
  const remark = { replacement: "RUN", drop: null, isRemark: true } as const;
  if (objtype === "OBJECT_SCHEMA") {
    const schema = statementOf(object, "String")?.sval ?? "";
    const key = `comment on schema ${encodeName(schema)}`;
    return { ...{ schema, name: null, kind: "comment on schema", key }, ...remark };
  }
  if (objtype === "OBJECT_INDEX") {
    // The grammar does not say whose index it is; `commentedIndex` does.
    const { schema, name } = nameOfList(statementOf(object, "List")?.items);
    return { ...objectOf({ schema, name }, "comment on index", remark), indexName: name };
  }
  const kind = commented[objtype];
  if (kind === undefined) return undefined;
  const type = statementOf(object, "TypeName");
  const routine = statementOf(object, "ObjectWithArgs");
  const items = statementOf(object, "List")?.items ?? [];
  const [first] = items;
  const domain = first && statementOf(first, "TypeName");
  if (type !== undefined) return objectOf(nameOfList(type.names), `comment on ${kind}`, remark);
  if (routine !== undefined) {
    const types = (routine.objargs ?? []).flatMap((one) => statementOf(one, "TypeName") ?? []);
    const of = signature(types).key;
    return objectOf(nameOfList(routine.objname), `comment on ${kind}`, { ...remark, of });
  }
  if (domain !== undefined) {
    const of = namePartsOf(items.slice(1))[0];
    return objectOf(nameOfList(domain.names), "comment on constraint", { ...remark, of });
  }
  const parts = namePartsOf(items);
  const isWhole = ["table", "view", "sequence"].includes(kind);
  if (parts.length !== (isWhole ? 2 : 3)) return undefined;
  const names = { schema: parts[0] ?? "", name: parts[1] ?? "" };
  return objectOf(names, `comment on ${kind}`, { ...remark, of: parts[2] });
}
