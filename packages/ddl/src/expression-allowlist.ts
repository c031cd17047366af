/** Built-in types that a column or a cast may have, by the names that the grammar uses. */
export const builtInTypes: ReadonlySet<string> = new Set([
  ...["bool", "int2", "int4", "int8", "float4", "float8", "numeric", "money"],
  ...["text", "varchar", "bpchar", "bytea", "uuid", "json", "jsonb", "jsonpath", "xml"],
  ...["date", "time", "timetz", "timestamp", "timestamptz", "interval"],
  ...["inet", "cidr", "macaddr", "macaddr8", "bit", "varbit", "tsvector", "tsquery"],
  ...["point", "line", "lseg", "box", "path", "polygon", "circle"],
  ...["int4range", "int8range", "numrange", "daterange", "tsrange", "tstzrange"],
  ...["int4multirange", "int8multirange", "nummultirange"],
  ...["datemultirange", "tsmultirange", "tstzmultirange"],
]);

/** Types that an identity column may have. */
export const integerTypes: ReadonlySet<string> = new Set(["int2", "int4", "int8"]);

/** Pseudo-types: CREATE TABLE accepts them, but they are not types. */
export const serialTypes: ReadonlySet<string> = new Set([
  ...["serial", "bigserial", "smallserial", "serial2", "serial4", "serial8"],
]);

/** Types whose input function looks up names in the system catalog. */
export const catalogueTypes: ReadonlySet<string> = new Set([
  ...["regclass", "regcollation", "regconfig", "regdatabase", "regdictionary", "regnamespace"],
  ...["regoper", "regoperator", "regproc", "regprocedure", "regrole", "regtype"],
]);

/** Functions of pg_catalog that read only their arguments, the clock or the random source, and change nothing. */
export const functions: ReadonlySet<string> = new Set([
  // Numbers
  ...["abs", "ceil", "ceiling", "floor", "round", "trunc", "sign", "mod", "div", "power", "sqrt"],
  ...["exp", "ln", "log", "gcd", "lcm", "width_bucket", "scale", "min_scale", "trim_scale"],
  // Text
  ...["lower", "upper", "initcap", "length", "char_length", "character_length", "octet_length"],
  ...["bit_length", "btrim", "ltrim", "rtrim", "substr", "substring", "left", "right", "replace"],
  ...["reverse", "strpos", "position", "starts_with", "split_part", "concat", "concat_ws"],
  ...["overlay", "translate", "ascii", "chr", "md5", "regexp_like", "regexp_count"],
  ...["regexp_instr", "regexp_replace", "regexp_substr", "like_escape", "similar_to_escape"],
  ...["normalize", "is_normalized", "casefold", "quote_literal", "format", "encode", "decode"],
  ...["sha224", "sha256", "sha384", "sha512", "to_hex", "to_bin", "to_oct"],
  // Time
  ...["now", "transaction_timestamp", "statement_timestamp", "clock_timestamp", "timezone", "age"],
  ...["date_trunc", "date_part", "date_bin", "extract", "isfinite", "make_date", "make_time"],
  ...["make_timestamp", "make_timestamptz", "make_interval", "to_timestamp", "to_date", "to_char"],
  ...["to_number", "justify_days", "justify_hours", "justify_interval", "date", "date_add"],
  ...["date_subtract"],
  // Identifiers
  ...["gen_random_uuid", "uuidv4", "uuidv7", "uuid_extract_version", "uuid_extract_timestamp"],
  ...["random"],
  // Arrays
  ...["array_length", "array_ndims", "array_lower", "array_upper", "cardinality", "array_position"],
  ...["array_remove", "array_append", "array_prepend", "array_cat", "array_to_string"],
  ...["string_to_array"],
  // JSON
  ...["jsonb_typeof", "json_typeof", "jsonb_array_length", "json_array_length", "to_jsonb"],
  ...["jsonb_build_object", "jsonb_build_array", "jsonb_extract_path", "jsonb_extract_path_text"],
  ...["jsonb_path_exists", "jsonb_path_match", "jsonb_exists", "jsonb_strip_nulls"],
  // Ranges, networks, bits
  ...["lower_inc", "upper_inc", "lower_inf", "upper_inf", "isempty", "int4range", "int8range"],
  ...["numrange", "daterange", "tsrange", "tstzrange", "family", "masklen", "host", "network"],
  ...["broadcast", "num_nulls", "num_nonnulls", "bit_count", "get_bit", "get_byte"],
  // Full text
  ...["to_tsvector", "to_tsquery", "plainto_tsquery", "websearch_to_tsquery"],
]);

/** Functions that a check may not call, because it must return the same result for the same row. */
export const volatileFunctions: ReadonlySet<string> = new Set([
  ...["gen_random_uuid", "uuidv4", "uuidv7", "random", "clock_timestamp"],
]);

/** Operators, and the names under which the grammar represents LIKE and BETWEEN. */
export const operators: ReadonlySet<string> = new Set([
  ...["=", "<>", "!=", "<", "<=", ">", ">="],
  ...["+", "-", "*", "/", "%", "^", "@", "|/", "||/", "&", "|", "#", "<<", ">>"],
  ...["||", "~", "~*", "!~", "!~*", "~~", "!~~", "~~*", "!~~*", "^@"],
  ...["->", "->>", "#>", "#>>", "@>", "<@", "?", "?|", "?&", "@?", "@@", "&&", "-|-", "&<", "&>"],
  ...["BETWEEN", "NOT BETWEEN", "BETWEEN SYMMETRIC", "NOT BETWEEN SYMMETRIC"],
]);

/** The keywords without parentheses that read the clock. Those that return a role or a schema are excluded. */
export const clockKeywords: ReadonlySet<string> = new Set([
  ...["SVFOP_CURRENT_DATE", "SVFOP_CURRENT_TIME", "SVFOP_CURRENT_TIME_N"],
  ...["SVFOP_CURRENT_TIMESTAMP", "SVFOP_CURRENT_TIMESTAMP_N", "SVFOP_LOCALTIME"],
  ...["SVFOP_LOCALTIME_N", "SVFOP_LOCALTIMESTAMP", "SVFOP_LOCALTIMESTAMP_N"],
]);
