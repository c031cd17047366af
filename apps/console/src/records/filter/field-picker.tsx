import { useMemo, useState } from "react";
import type { NavigationResource } from "../../shell/navigation.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { useFilterEdit } from "./filter-edit.ts";
import { useFilterWords } from "./filter-words.ts";
import { type FieldPath, fieldPaths, pathNames } from "./resolve-field.ts";

interface FieldPickerProps {
  readonly resource: NavigationResource;
  /** The present field as people read it. */
  readonly text: string;
  readonly onPick: (path: FieldPath) => void;
  readonly autoFocus: boolean;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
}

const shownMax = 60;

/** Finds a field of the resource, of its related rows, or a to-many relation. */
export function FieldPicker(props: FieldPickerProps) {
  const { resource, text, onPick } = props;
  const { t } = useFilterWords();
  const { resources } = useFilterEdit();
  const [typed, setTyped] = useState<string | null>(null);
  const all = useMemo(
    () =>
      fieldPaths(resource, resources).map((path, index) => {
        const names = pathNames(path);
        const search = [...names, path.column?.name ?? path.resource.label ?? ""].join(" ");
        return { id: String(index), path, names, search: search.toLowerCase() };
      }),
    [resource, resources],
  );
  const wanted = (typed ?? "").toLowerCase().replaceAll("›", " ").split(/\s+/);
  const found = all.filter(({ search }) => wanted.every((word) => search.includes(word)));
  const options = found.slice(0, shownMax).map(({ id, path, names }) => ({
    id,
    label: names.join(" › "),
    detail:
      path.column?.dataType ?? t("rowsOf", { name: path.resource.label ?? path.resource.name }),
  }));
  return (
    <Combobox
      label={t("field")}
      text={typed ?? text}
      onText={setTyped}
      options={options}
      onChoose={(id) => {
        setTyped(null);
        const chosen = all.find((one) => one.id === id);
        if (chosen !== undefined) onPick(chosen.path);
      }}
      onLeave={() => setTyped(null)}
      message={
        found.length === 0 ? t("noField") : found.length > shownMax ? t("moreFields") : undefined
      }
      placeholder={t("fieldPlaceholder")}
      inputClassName="h-7 w-full min-w-0 rounded-control border border-line-input bg-surface px-2.5 text-3 text-ink placeholder:text-ink-3 focus-visible:outline-offset-0 aria-invalid:border-danger"
      describedBy={props.describedBy}
      isInvalid={props.isInvalid}
      autoFocus={props.autoFocus}
    />
  );
}
