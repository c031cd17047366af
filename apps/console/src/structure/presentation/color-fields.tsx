import { useTranslations } from "use-intl";
import { Badge } from "../../records/values/badge.tsx";
import { isNumeric, type ValueColumn, valueKindOf } from "../../records/values/value-kind.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Plus, X } from "../../ui/icons.generated.ts";
import { Select } from "../../ui/select.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { inputLook } from "../columns/line-field.tsx";
import type { ColorRule } from "./format-choices.ts";

const colors = [
  ...(["gray", "red", "orange", "amber", "yellow", "lime", "green"] as const),
  ...(["teal", "cyan", "blue", "indigo", "violet", "pink"] as const),
];

interface ColorFieldsProps {
  readonly column: ValueColumn;
  readonly rules: readonly ColorRule[];
  readonly onChange: (rules: readonly ColorRule[]) => void;
}

/** The rules that color values; the first one that matches counts. */
export function ColorFields({ column, rules, onChange }: ColorFieldsProps) {
  const t = useTranslations("presentation");
  const set = (at: number, rule: ColorRule) =>
    onChange(rules.map((one, index) => (index === at ? rule : one)));
  const add = (rule: ColorRule) => onChange([...rules, rule]);
  const bound = (at: number, rule: ColorRule, name: "from" | "to", text: string) => {
    const { [name]: _last, ...others } = rule as Extract<ColorRule, { from?: unknown }>;
    const value = readRuleValue(column, text);
    const isGiven = text !== "" && typeof value !== "boolean" && value !== null;
    set(at, isGiven ? { ...others, [name]: value } : others);
  };
  return (
    <div className="grid justify-items-start gap-2">
      {rules.map((rule, at) => (
        // A rule has no identity but its position.
        <div key={String(at)} className="flex flex-wrap items-center gap-2">
          {"value" in rule ? (
            <input
              type="text"
              aria-label={t("ruleValue", { number: at + 1 })}
              placeholder={t("noValue")}
              value={ruleText(rule.value)}
              onChange={({ target: { value } }) =>
                set(at, { ...rule, value: value === "" ? null : readRuleValue(column, value) })
              }
              className={`${inputLook} max-w-40`}
            />
          ) : (
            (["from", "to"] as const).map((name) => (
              <input
                key={name}
                type="text"
                aria-label={t(name === "from" ? "ruleFrom" : "ruleTo", { number: at + 1 })}
                placeholder={t(name)}
                value={rule[name] === undefined ? "" : String(rule[name])}
                onChange={({ target: { value } }) => bound(at, rule, name, value)}
                className={`${inputLook} max-w-28`}
              />
            ))
          )}
          <Select
            label={t("color", { number: at + 1 })}
            value={rule.color}
            options={colors.map((value) => ({ value, label: t(`colors.${value}`) }))}
            onChange={(color) => set(at, { ...rule, color })}
          />
          <Badge color={rule.color}>{t(`colors.${rule.color}`)}</Badge>
          <IconButton
            label={t("removeRule", { number: at + 1 })}
            icon={X}
            onPress={() => onChange(rules.filter((_one, index) => index !== at))}
          />
        </div>
      ))}
      <div className="flex flex-wrap gap-1">
        <ToolButton
          kind="bare"
          onClick={() =>
            add({
              value:
                column.values?.find(
                  (value) => !rules.some((rule) => "value" in rule && rule.value === value),
                ) ?? null,
              color: colors[(rules.length * 3 + 1) % colors.length] ?? "gray",
            })
          }
        >
          <Plus size={14} aria-hidden="true" />
          {t("addValue")}
        </ToolButton>
        {hasRanges(column) && (
          <ToolButton kind="bare" onClick={() => add({ color: "amber" })}>
            <Plus size={14} aria-hidden="true" />
            {t("addRange")}
          </ToolButton>
        )}
      </div>
    </div>
  );
}

const ranged: ReadonlySet<string> = new Set(["DATE", "TIME", "TIMESTAMP", "INSTANT", "INTERVAL"]);

/** Whether rules of a column may have a range. */
function hasRanges(column: ValueColumn): boolean {
  const element = { ...column, array: false };
  return isNumeric(element) || ranged.has(valueKindOf(element));
}

/** The text of a rule's value; empty for no value. */
function ruleText(value: string | number | boolean | null): string {
  return value === null ? "" : String(value);
}

/** Reads the value of a rule. Digits that a number would change stay text. */
function readRuleValue(column: ValueColumn, text: string): string | number | boolean {
  const element = { ...column, array: false };
  if (valueKindOf(element) === "BOOLEAN" && (text === "true" || text === "false")) {
    return text === "true";
  }
  return isNumeric(element) && String(Number(text)) === text ? Number(text) : text;
}
