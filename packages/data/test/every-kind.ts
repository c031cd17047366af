import { quoteLiteral } from "@rowhouse/db";

/** Every type that a column may have, with sample values: PostgreSQL's own types and those of common extensions. */
export const kinds: Readonly<Record<string, readonly string[]>> = {
  '"char"': ["", "a", "\\377"],
  '"bit"': ["1", "0"],
  "bit varying": ["", "1", "10", "011"],
  aclitem: ["=r/pg_monitor", "pg_monitor=rw/pg_monitor"],
  bigint: ["-9223372036854775808", "9007199254740993", "9007199254740992"],
  boolean: ["true", "false"],
  box: ["(1,1),(0,0)", "(2,2),(0,0)"],
  bpchar: ["a", "a  ", "b", ""],
  bytea: ["\\x", "\\x00", "\\x00ff", "\\x61"],
  character: ["a", "b"],
  "character varying": ["", "a", "A", "ä", "zz"],
  cid: ["1", "2"],
  cidr: ["10.0.0.0/8", "::/0", "10.0.0.0/9"],
  circle: ["<(0,0),1>", "<(1,1),2>"],
  date: ["infinity", "-infinity", "0044-03-15 BC", "2020-02-29"],
  datemultirange: ["{}", "{[2020-01-01,2021-01-01)}", "{(,infinity)}"],
  daterange: ["empty", "[2020-01-01,)", "(,2020-01-01)", "[2020-01-01,infinity)"],
  "double precision": ["NaN", "Infinity", "-Infinity", "-0", "0", "0.1", "1e-320"],
  gtsvector: [],
  inet: ["10.0.0.1", "10.0.0.1/8", "::1", "::ffff:1.2.3.4"],
  int2vector: ["1 2", "1", ""],
  int4multirange: ["{}", "{[1,3),[5,7)}", "{(,3)}"],
  int4range: ["empty", "[1,3)", "(,)", "(,3)"],
  int8multirange: ["{}", "{[1,3)}"],
  int8range: ["empty", "[1,9007199254740993)", "[1,9007199254740992)"],
  integer: ["-2147483648", "0", "2147483647"],
  interval: ["1 mon", "30 days", "-1 day +2:00:00", "infinity", "-infinity", "1.000001 secs"],
  json: ["1", "{}"],
  jsonb: ["null", "1.10", "1.1", "[]", '{"a": "\\u00e9\\""}', "12345678901234567890.5", '"x"'],
  jsonpath: ["$.a", "$"],
  line: ["{1,2,3}"],
  lseg: ["[(0,0),(1,1)]", "[(0,0),(2,2)]"],
  macaddr: ["08:00:2b:01:02:03", "08:00:2b:01:02:04"],
  macaddr8: ["08:00:2b:01:02:03:04:05", "08:00:2b:01:02:03:04:06"],
  money: ["-1.01", "0", "92233720368547758.07"],
  name: ["", "a", "A", "ä"],
  numeric: ["NaN", "Infinity", "-Infinity", "1.10", "1.1", "12345678901234567890.123456789"],
  nummultirange: ["{}", "{[1.10,2)}", "{[1.1,2.0)}"],
  numrange: ["empty", "[1.10,2)", "[1.1,2.0)", "[NaN,NaN]", "(,)"],
  oid: ["0", "4294967295", "1"],
  oidvector: ["1 2", "1", ""],
  path: ["((0,0),(1,1))", "[(0,0),(2,2)]"],
  pg_brin_bloom_summary: [],
  pg_brin_minmax_multi_summary: [],
  pg_dependencies: [],
  pg_lsn: ["0/0", "FFFFFFFF/FFFFFFFF", "0/A"],
  pg_mcv_list: [],
  pg_ndistinct: [],
  pg_node_tree: [],
  pg_snapshot: ["10:20:10,14", "10:20:"],
  point: ["(0,0)", "(1,1)"],
  polygon: ["((0,0),(1,1),(2,0))"],
  real: ["NaN", "Infinity", "-Infinity", "-0", "0", "0.1", "3.4028235e38", "1e-45"],
  refcursor: ["a", "b"],
  regclass: ["pg_class", "system.users", "0", "4000000000", 'public."Odd.Näme"'],
  regcollation: ['"C"', '"POSIX"', "4000000000"],
  regconfig: ["english", "simple"],
  regdictionary: ["simple", "english_stem"],
  regnamespace: ["system", "pg_catalog", "0"],
  // Some types share their name with a type of another schema.
  regoper: ["pg_catalog.||/", "0", "4000000000", "96"],
  regoperator: ["=(integer,integer)", "0", "!!(none,tsquery)"],
  regproc: ["now", "0", "1397", "1398"],
  regprocedure: ["now()", "abs(integer)", "abs(numeric)"],
  regrole: ["pg_monitor", "0"],
  regtype: ["integer", "text[]", "public.mood", "0"],
  smallint: ["-32768", "0", "32767"],
  text: ["", "a", "A", "a b", "ä", "😀", 'a,b"\\'],
  tid: ["(0,1)", "(0,2)", "(4294967295,65535)"],
  "time with time zone": ["00:00:00+02", "24:00:00-12", "02:00:00+04", "22:00:00+00"],
  "time without time zone": ["00:00:00", "24:00:00", "12:00:00.000001"],
  "timestamp with time zone": [
    "infinity",
    "-infinity",
    "2020-02-29 00:00:00.000001+00",
    "0044-03-15 00:00:00+00 BC",
  ],
  "timestamp without time zone": [
    "infinity",
    "-infinity",
    "2020-02-29 00:00:00.000001",
    "0044-03-15 00:00:00 BC",
  ],
  tsmultirange: ["{}", '{["2020-01-01 00:00:00.000001",infinity)}'],
  tsquery: ["'a' & 'b'", "'a'", "!'a' | 'b':*A", "'a' <2> 'b'"],
  tsrange: ["empty", '["2020-01-01 00:00:00.000001",infinity)', "(,)"],
  tstzmultirange: ["{}", '{["2020-01-01 00:00:00.000001+00",infinity)}'],
  tstzrange: ["empty", '["2020-01-01 00:00:00.000001+00",infinity)', "(,)"],
  tsvector: ["", "'a':1 'b':2A", "'a'", "'a' 'b''\\\\c'"],
  txid_snapshot: ["10:20:10,14", "10:20:"],
  uuid: ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
  xid: ["1", "2"],
  xid8: ["1", "18446744073709551615", "0"],
  xml: ["<a/>"],
  // Types of extensions, in a schema outside the search path.
  "extra.citext": ["a", "A", "ä", "Ä", "b"],
  "extra.cube": ["(1,2)", "(0.1)", "(1,2),(3,4)", "()"],
  "extra.earth": ["(6378168,0,0)"],
  "extra.ean13": ["978-0-11-000533-1", "978-0-306-40615-7", "979-0-2306-7118-7"],
  "extra.ghstore": [],
  "extra.gtrgm": [],
  "extra.hstore": ["", '"a"=>"1"', '"a"=>NULL', '"b"=>"\\"x", "c"=>"2"'],
  "extra.intbig_gkey": [],
  "extra.isbn": ["978-0-11-000533-1", "0-306-40615-2"],
  "extra.isbn13": ["978-0-11-000533-1", "978-0-306-40615-7"],
  "extra.ismn": ["979-0-2306-7118-7", "M-3452-4680-5"],
  "extra.ismn13": ["979-0-2306-7118-7"],
  "extra.issn": ["1436-4522", "0317-8471"],
  "extra.issn13": ["977-1436-452-00-8"],
  "extra.lo": ["1", "2"],
  "extra.lquery": ["a.*", "*"],
  "extra.ltree": ["", "a", "a.b", "a_b.c"],
  "extra.ltree_gist": [],
  "extra.ltxtquery": ["a & b", "a"],
  "extra.query_int": ["1&2", "1|2"],
  "extra.seg": ["1.5", "~1.5", "1.50", "1 .. 2", "<3", "1.23456789 .. 9e9", "5(+-)0.3"],
  "extra.upc": ["220356483481"],
  // User-defined types.
  mood: ["bad", "fine", "Good, so"],
};

export const extensions = [
  "citext",
  "cube",
  "earthdistance",
  "hstore",
  "intarray",
  "isn",
  "lo",
  "ltree",
  "pg_trgm",
  "seg",
];

export interface Variant {
  readonly name: string;
  /** Returns the column type that a variant makes of the type at an index of the list. */
  readonly typeOf: (kind: string, at: number) => string;
  /** Returns values of the variant as SQL, made of a value of the base type. */
  readonly valuesOf: (type: string, values: readonly string[], at: number) => readonly string[];
}

const asArrays = (type: string, items: readonly string[]): string[] => [
  `'{}'::${type}`,
  ...items.flatMap((item, at) => [
    `array[${item}]::${type}`,
    `array[${item}, null, ${items[(at + 1) % items.length]}]::${type}`,
  ]),
];
const asRows = (type: string, items: readonly string[]): string[] => [
  `row(null, null)::${type}`,
  ...items.flatMap((item) => [`row(${item}, null)::${type}`, `row(${item}, 1)::${type}`]),
];
const literals = (type: string, values: readonly string[]): string[] =>
  values.map((value) => `${quoteLiteral(value)}::${type}`);

export const variants: readonly Variant[] = [
  { name: "itself", typeOf: (kind) => kind, valuesOf: literals },
  {
    name: "an array of it",
    typeOf: (kind) => `${kind}[]`,
    valuesOf: (type, values) => asArrays(type, literals(type.slice(0, -2), values)),
  },
  { name: "a domain over it", typeOf: (_, at) => `domain_${at}`, valuesOf: literals },
  {
    name: "an array of a domain over it",
    typeOf: (_, at) => `domain_${at}[]`,
    valuesOf: (type, values) => asArrays(type, literals(type.slice(0, -2), values)),
  },
  {
    name: "a domain over an array of it",
    typeOf: (_, at) => `domain_of_array_${at}`,
    valuesOf: (type, values, at) => asArrays(type, literals(Object.keys(kinds)[at] ?? "", values)),
  },
  {
    name: "a composite with it",
    typeOf: (_, at) => `row_${at}`,
    valuesOf: (type, values, at) => asRows(type, literals(Object.keys(kinds)[at] ?? "", values)),
  },
  {
    name: "a domain over a composite with it",
    typeOf: (_, at) => `domain_of_row_${at}`,
    valuesOf: (type, values, at) => asRows(type, literals(Object.keys(kinds)[at] ?? "", values)),
  },
  {
    name: "an array of composites with it",
    typeOf: (_, at) => `row_${at}[]`,
    valuesOf: (type, values, at) =>
      asArrays(type, asRows(`row_${at}`, literals(Object.keys(kinds)[at] ?? "", values))),
  },
];

export const rowsInAll = 14;
