import { useId } from "react";
import { useTranslations } from "use-intl";
import { FindBox } from "../shell/find-box.tsx";
import { findAccounts } from "../shell/find-people.ts";
import { personName, usePerson } from "../shell/person-picker.tsx";
import { readLocal, typedLocal } from "../shell/time/zone.ts";
import { Field, inputClasses } from "../ui/field.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { X } from "../ui/icons.generated.ts";
import { ToolButton } from "../ui/tool-button.tsx";
import {
  type AuditSearch,
  auditOutcomes,
  auditRanges,
  linkedFilters,
  rangeOf,
} from "./audit-search.ts";
import { ActionSelect, FilterChoice, KindSelect } from "./choices.tsx";

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly zone: string;
  readonly onChange: (change: AuditSearch) => void;
  readonly onClear: () => void;
}

/** The filters of the audit log. Those that a link has set have a button that removes them. */
export function AuditFilters({ search, zone, onChange, onClear }: AuditFiltersProps) {
  const t = useTranslations("audit");
  const range = rangeOf(search);
  const linked = linkedFilters.filter((name) => search[name] !== undefined);
  const isSet = Object.values(search).some((value) => value !== undefined);
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-5">
        <FilterChoice
          label={t("filters.time")}
          value={range ?? ""}
          onChange={(next) =>
            onChange({
              range: next,
              ...(next === "custom" ? {} : { since: undefined, until: undefined }),
            })
          }
        >
          {auditRanges.map((one) => (
            <option key={one} value={one}>
              {t(`ranges.${one}`)}
            </option>
          ))}
        </FilterChoice>
        <PersonFilter userId={search.actorUserId} onChange={onChange} />
        <ActionSelect value={search.action} onChange={(action) => onChange({ action })} />
        <KindSelect value={search.targetKind} onChange={(targetKind) => onChange({ targetKind })} />
        <FilterChoice
          label={t("filters.outcome")}
          value={search.outcome ?? ""}
          onChange={(outcome) => onChange({ outcome })}
        >
          {auditOutcomes.map((value) => (
            <option key={value} value={value}>
              {t(value)}
            </option>
          ))}
        </FilterChoice>
        {range === "custom" &&
          (["since", "until"] as const).map((end) => (
            <Moment
              key={end}
              label={t(`filters.${end}`)}
              value={typedLocal(search[end], zone)}
              onChange={(text) => onChange({ [end]: readLocal(text, zone) })}
            />
          ))}
      </div>
      {isSet && (
        <div className="flex flex-wrap items-center gap-2">
          {linked.map((name) => (
            <span
              key={name}
              className="flex h-7 max-w-full items-center gap-1.5 rounded-control border border-accent-line bg-accent-soft pl-2"
            >
              <span className="shrink-0 text-ink-2">{t(`filters.${name}`)}</span>
              <code className="truncate font-mono text-2">{search[name]}</code>
              <IconButton
                label={t("remove", { name: t(`filters.${name}`) })}
                icon={X}
                isSmall
                onPress={() => onChange({ [name]: undefined })}
              />
            </span>
          ))}
          <ToolButton kind="bare" onClick={onClear}>
            {t("clear")}
          </ToolButton>
        </div>
      )}
    </div>
  );
}

function PersonFilter(props: {
  readonly userId: string | undefined;
  readonly onChange: (change: AuditSearch) => void;
}) {
  const t = useTranslations("audit");
  const { data: person } = usePerson(props.userId);
  return (
    <FindBox
      label={t("filters.actorUserId")}
      chosen={person === undefined ? undefined : { id: person.id, label: personName(person) }}
      onChoose={({ id }) => props.onChange({ actorUserId: id })}
      findKey={["access", "people"]}
      find={findAccounts}
      placeholder={t("any")}
    />
  );
}

function Moment(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  const id = useId();
  return (
    <Field id={id} label={props.label}>
      <input
        id={id}
        type="datetime-local"
        defaultValue={props.value}
        onBlur={({ target }) => {
          if (target.value !== props.value) props.onChange(target.value);
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Enter") props.onChange(currentTarget.value);
        }}
        className={inputClasses}
      />
    </Field>
  );
}
