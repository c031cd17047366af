import { useTranslations } from "use-intl";
import { IconButton } from "../ui/icon-button.tsx";
import { X } from "../ui/icons.generated.ts";
import { Select } from "../ui/select.tsx";
import { type CallsSearch, callOutcomes } from "./calls-search.ts";
import { switches } from "./switches.ts";

const tools = switches.flatMap((one) => one.tools);
const ids = ["userId", "tokenId"] as const;

interface CallFiltersProps {
  readonly search: CallsSearch;
  readonly onChange: (change: CallsSearch) => void;
}

/** The filters of the calls. */
export function CallFilters({ search, onChange }: CallFiltersProps) {
  const t = useTranslations("mcp");
  const { tool = "" } = search;
  const named = tool === "" || tools.includes(tool) ? tools : [...tools, tool];
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-3">
      <Select
        label={t("tool")}
        value={tool}
        options={[
          { value: "", label: t("any") },
          ...named.map((value) => ({ value, label: value, isName: true })),
        ]}
        onChange={(value) => onChange({ tool: value === "" ? undefined : value })}
      />
      <Select
        label={t("outcome")}
        value={search.outcome ?? ""}
        options={[
          { value: "", label: t("any") },
          ...callOutcomes.map((value) => ({ value, label: t(`outcomes.${value}`) })),
        ]}
        onChange={(value) => onChange({ outcome: value === "" ? undefined : value })}
      />
      {ids.map(
        (name) =>
          search[name] !== undefined && (
            <span
              key={name}
              className="flex h-7 max-w-full items-center gap-1.5 rounded-control border border-accent-line bg-accent-soft pl-2"
            >
              <span className="text-ink-2">{t(`filters.${name}`)}</span>
              <code className="truncate font-mono text-2">{search[name]}</code>
              <IconButton
                label={t("remove", { name: t(`filters.${name}`) })}
                icon={X}
                onPress={() => onChange({ [name]: undefined })}
              />
            </span>
          ),
      )}
    </div>
  );
}
