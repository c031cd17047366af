import { functions, volatileFunctions } from "./expression-allowlist.ts";

/**
 * Functions of pg_catalog that a view may call in addition to those of expressions; they read only their arguments.
 */
const ofViews: readonly string[] = [
  // Aggregates
  ...[
    "count",
    "sum",
    "avg",
    "min",
    "max",
    "array_agg",
    "string_agg",
    "bool_and",
    "bool_or",
    "every",
  ],
  ...["any_value", "bit_and", "bit_or", "bit_xor", "json_agg", "jsonb_agg", "json_object_agg"],
  ...["jsonb_object_agg", "json_agg_strict", "jsonb_agg_strict", "json_object_agg_strict"],
  ...["jsonb_object_agg_strict", "range_agg", "range_intersect_agg", "stddev", "stddev_pop"],
  ...["stddev_samp", "variance", "var_pop", "var_samp", "corr", "covar_pop", "covar_samp"],
  ...["regr_avgx", "regr_avgy", "regr_count", "regr_intercept", "regr_r2", "regr_slope"],
  ...["regr_sxx", "regr_sxy", "regr_syy", "mode", "percentile_cont", "percentile_disc"],
  // Window functions
  ...["row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead"],
  ...["first_value", "last_value", "nth_value"],
  // Set-returning functions
  ...["generate_series", "generate_subscripts", "unnest", "string_to_table"],
  ...["regexp_split_to_table", "regexp_matches", "regexp_match", "regexp_split_to_array"],
  ...["json_array_elements", "json_array_elements_text", "json_each", "json_each_text"],
  ...["json_object_keys", "json_to_record", "json_to_recordset", "jsonb_array_elements"],
  ...["jsonb_array_elements_text", "jsonb_each", "jsonb_each_text", "jsonb_object_keys"],
  ...["jsonb_to_record", "jsonb_to_recordset", "jsonb_path_query"],
  // JSON
  ...["to_json", "row_to_json", "array_to_json", "json_build_object", "json_build_array"],
  ...["json_extract_path", "json_extract_path_text", "jsonb_set", "jsonb_insert", "jsonb_pretty"],
  ...["jsonb_path_query_array", "jsonb_path_query_first", "jsonb_object", "json_object"],
  ...["json_strip_nulls"],
  // Text, numbers, arrays, ranges, full text
  ...["lpad", "rpad", "to_ascii", "quote_ident", "unistr", "degrees", "radians", "pi"],
  ...["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "cbrt", "log10", "factorial"],
  ...["array_positions", "array_replace", "array_dims", "trim_array", "array_sort"],
  ...["array_reverse", "range_merge", "multirange", "abbrev", "netmask", "text", "set_masklen"],
  ...["ts_rank", "ts_rank_cd", "ts_headline", "phraseto_tsquery", "setweight", "strip", "numnode"],
  ...["querytree", "tsvector_to_array", "ts_delete", "crc32", "crc32c"],
];

/**
 * Functions that a view may call: their results depend only on their arguments and the current time. Volatile
 * functions are excluded, because a filter on a column that changes with each evaluation protects nothing.
 */
export const viewFunctions: ReadonlySet<string> = new Set(
  [...functions, ...ofViews].filter((name) => !volatileFunctions.has(name)),
);
