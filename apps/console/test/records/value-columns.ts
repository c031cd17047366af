import { createTranslator } from "use-intl/core";
import type { ValueColumn } from "../../src/records/values/value-kind.ts";
import type { Ways } from "../../src/records/values/ways.ts";
import { localeOf } from "../../src/shell/time/locale.ts";
import * as deWorkspace from "../../src/words/de/workspace/index.ts";
import * as enWorkspace from "../../src/words/en/workspace/index.ts";

/** Returns a column of a type. */
export function columnOf(baseType: string, more: Partial<ValueColumn> = {}): ValueColumn {
  return {
    ...{ dataType: baseType, baseType, array: false, values: null },
    ...{ format: null, colors: null, nullable: true },
    ...more,
  };
}

/** Returns the ways of a person. */
export function waysOf(
  locale: "en" | "de",
  timeZone = "Europe/Oslo",
  region: string | null = null,
): Ways {
  const messages = { en: enWorkspace, de: deWorkspace }[locale];
  return {
    locale: localeOf(locale, region),
    timeZone,
    say: createTranslator({ locale, messages, namespace: "values" }),
  };
}
