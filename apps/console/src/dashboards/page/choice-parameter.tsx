import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { useFailureText } from "../../shell/failure-text.ts";
import { useDelayed } from "../../shell/use-delayed.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import type { OpenParameter } from "../model/open-dashboard.ts";
import { choicesQuery } from "./dashboard-queries.ts";

interface ChoiceParameterProps {
  /** Of the dashboard. */
  readonly id: string;
  readonly parameter: OpenParameter;
  /** The change of the value in the address, to which further changes may be added before the page shows it. */
  readonly onChange: (change: (value: unknown) => unknown) => void;
}

const searchDelayMs = 150;

/** A value of a column, or a person: one of those that this person may read. */
export function ChoiceParameter({ id, parameter, onChange }: ChoiceParameterProps) {
  const t = useTranslations("dashboards");
  const describe = useFailureText();
  const fieldId = useId();
  const { name, value, multiple = false } = parameter;
  const label = parameter.label === "" ? name : parameter.label;
  const [typed, setTyped] = useState<string>();
  const search = useDelayed(typed ?? "", searchDelayMs);
  const { data, error, isFetching, isPlaceholderData } = useQuery(choicesQuery(id, name, search));
  // The labels of what is chosen are among the choices without a search.
  const known = useQuery(choicesQuery(id, name, "")).data ?? [];
  const chosen = multiple ? listOf(value) : [];
  const labelOf = (one: unknown) =>
    [...known, ...(data ?? [])].find((choice) => isSame(choice.value, one))?.label ??
    (one === null ? t("none") : String(one));
  const hasValue = multiple ? chosen.length > 0 : value !== null && value !== undefined;
  const wanted = (typed ?? "").trim().toLowerCase();
  const isOfOtherText = isPlaceholderData || search !== (typed ?? "");
  const options = (data ?? [])
    .filter((choice) => !chosen.some((one) => isSame(one, choice.value)))
    // Choices of the text before are offered only if they match the new one, so that Enter chooses no wrong value.
    .filter(({ label: text }) => !isOfOtherText || text.toLowerCase().includes(wanted))
    .map((choice) => ({ id: JSON.stringify(choice.value), label: choice.label || t("none") }));
  const choose = (key: string) => {
    setTyped(undefined);
    const next: unknown = JSON.parse(key);
    onChange((now) => (multiple ? [...without(listOf(now), next), next] : next));
  };
  const message =
    error !== null
      ? describe(error)
      : options.length === 0
        ? t(isFetching || isOfOtherText ? "loading" : "nothingFound")
        : undefined;
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor={fieldId} className="text-2 text-ink-2" dir="auto">
        {label}
      </label>
      <div className="flex min-w-0 flex-wrap items-center gap-1">
        {chosen.map((one) => (
          <Chosen
            key={JSON.stringify(one)}
            label={labelOf(one)}
            onRemove={() =>
              onChange((now) => {
                const rest = without(listOf(now), one);
                return rest.length === 0 ? null : rest;
              })
            }
          />
        ))}
        <div className="w-44 max-w-full">
          <Combobox
            id={fieldId}
            label={undefined}
            text={typed ?? (multiple || !hasValue ? "" : labelOf(value))}
            onText={setTyped}
            options={options}
            chosen={hasValue && !multiple ? JSON.stringify(value) : undefined}
            onChoose={choose}
            onLeave={() => setTyped(undefined)}
            message={message}
            placeholder={hasValue ? undefined : t("all")}
            inputClassName="h-7 w-full rounded-control border border-line-input bg-surface px-2 text-ink placeholder:text-ink-3"
          />
        </div>
        {hasValue && !multiple && (
          <IconButton
            label={t("clear", { name: label })}
            icon={X}
            isSmall
            onPress={() => onChange(() => null)}
          />
        )}
      </div>
    </div>
  );
}

function Chosen({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) {
  const t = useTranslations("dashboards");
  return (
    <span className="flex h-7 max-w-48 items-center gap-0.5 rounded-control border border-accent-line bg-accent-soft ps-2">
      <bdi className="truncate">{label}</bdi>
      <IconButton label={t("remove", { name: label })} icon={X} isSmall onPress={onRemove} />
    </span>
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function without(values: readonly unknown[], one: unknown): readonly unknown[] {
  return values.filter((other) => !isSame(other, one));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
