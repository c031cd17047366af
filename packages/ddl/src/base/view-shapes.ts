/**
 * The nodes that a view's definition may contain, by the names of their fields in the grammar. A field is a plain
 * value, nodes of any kind, or one node of a fixed kind that the tree does not name. Everything else is refused, so a
 * node that a later Postgres adds is refused until it is added here.
 */
export type FieldShape = "value" | "nodes" | { readonly kind: string };

const value = "value";
const nodes = "nodes";

/** Fields that every node may have. */
const places = { location: value } as const;

const shapes: Readonly<Record<string, Readonly<Record<string, FieldShape>>>> = {
  SelectStmt: {
    distinctClause: nodes,
    targetList: nodes,
    fromClause: nodes,
    whereClause: nodes,
    groupClause: nodes,
    groupDistinct: value,
    havingClause: nodes,
    windowClause: nodes,
    valuesLists: nodes,
    sortClause: nodes,
    limitOffset: nodes,
    limitCount: nodes,
    limitOption: value,
    withClause: { kind: "WithClause" },
    op: value,
    all: value,
    larg: { kind: "SelectStmt" },
    rarg: { kind: "SelectStmt" },
  },
  WithClause: { ctes: nodes, recursive: value },
  CommonTableExpr: {
    ctename: value,
    aliascolnames: nodes,
    ctematerialized: value,
    ctequery: nodes,
  },
  ResTarget: { name: value, val: nodes },
  RangeVar: {
    schemaname: value,
    relname: value,
    inh: value,
    relpersistence: value,
    alias: { kind: "Alias" },
  },
  RangeSubselect: { lateral: value, subquery: nodes, alias: { kind: "Alias" } },
  RangeFunction: {
    lateral: value,
    ordinality: value,
    is_rowsfrom: value,
    functions: nodes,
    alias: { kind: "Alias" },
    coldeflist: nodes,
  },
  ColumnDef: { colname: value, typeName: { kind: "TypeName" }, is_local: value },
  JoinExpr: {
    jointype: value,
    isNatural: value,
    larg: nodes,
    rarg: nodes,
    usingClause: nodes,
    join_using_alias: { kind: "Alias" },
    quals: nodes,
    alias: { kind: "Alias" },
  },
  Alias: { aliasname: value, colnames: nodes },
  SortBy: { node: nodes, sortby_dir: value, sortby_nulls: value, useOp: nodes },
  GroupingSet: { kind: value, content: nodes },
  GroupingFunc: { args: nodes },
  WindowDef: {
    name: value,
    refname: value,
    partitionClause: nodes,
    orderClause: nodes,
    frameOptions: value,
    startOffset: nodes,
    endOffset: nodes,
  },
  SubLink: { subLinkType: value, testexpr: nodes, operName: nodes, subselect: nodes },
  FuncCall: {
    funcname: nodes,
    args: nodes,
    agg_order: nodes,
    agg_filter: nodes,
    over: { kind: "WindowDef" },
    agg_within_group: value,
    agg_star: value,
    agg_distinct: value,
    func_variadic: value,
    funcformat: value,
  },
  NamedArgExpr: { name: value, arg: nodes, argnumber: value },
  A_Expr: {
    kind: value,
    name: nodes,
    lexpr: nodes,
    rexpr: nodes,
    rexpr_list_start: value,
    rexpr_list_end: value,
  },
  BoolExpr: { boolop: value, args: nodes },
  NullTest: { arg: nodes, nulltesttype: value, argisrow: value },
  BooleanTest: { arg: nodes, booltesttype: value },
  CaseExpr: { arg: nodes, args: nodes, defresult: nodes },
  CaseWhen: { expr: nodes, result: nodes },
  CoalesceExpr: { args: nodes },
  MinMaxExpr: { op: value, args: nodes },
  RowExpr: { args: nodes, row_format: value },
  A_ArrayExpr: { elements: nodes, list_start: value, list_end: value },
  A_Indirection: { arg: nodes, indirection: nodes },
  A_Indices: { is_slice: value, lidx: nodes, uidx: nodes },
  TypeCast: { arg: nodes, typeName: { kind: "TypeName" } },
  CollateClause: { arg: nodes, collname: nodes },
  JsonIsPredicate: { expr: nodes, format: value, item_type: value, unique_keys: value },
  SQLValueFunction: { op: value, typmod: value },
  ColumnRef: { fields: nodes },
  List: { items: nodes },
  A_Star: {},
  String: { sval: value },
  // Their parts are constants of several kinds, and a type is checked as a whole.
  A_Const: {
    ...{ ival: value, fval: value, boolval: value, sval: value, bsval: value, isnull: value },
  },
  TypeName: {
    ...{ names: value, typmods: value, typemod: value, arrayBounds: value },
    ...{ setof: value, pct_type: value },
  },
};

/** Returns the shape of a field; undefined if the node or the field is not allowed. */
export function fieldShapeOf(kind: string, field: string): FieldShape | undefined {
  const shape = Object.hasOwn(shapes, kind) ? shapes[kind] : undefined;
  if (shape === undefined) return undefined;
  const own = { ...places, ...shape };
  return Object.hasOwn(own, field) ? own[field as keyof typeof own] : undefined;
}

/** Whether a definition may contain a node of this kind. */
export function isAllowedNode(kind: string): boolean {
  return Object.hasOwn(shapes, kind);
}
