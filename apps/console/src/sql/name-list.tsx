import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { tablesQuery } from "../shell/catalog-names.ts";
import { useFailureText } from "../shell/failure-text.ts";
import { qualifiedName } from "../shell/mentioned-tables.ts";
import { FoldButton } from "../ui/fold-button.tsx";
import { useWide } from "../ui/use-wide.ts";

const foldLook = "gap-1 rounded-control text-2 font-medium hover:bg-sunken";

/** The schemas and tables of the catalogue. A press on a table puts its name into the editor. */
export function NameList({ onInsert }: { readonly onInsert: (name: string) => void }) {
  const t = useTranslations("sql.names");
  const describe = useFailureText();
  const isWide = useWide();
  // On a phone the list would stand between the editor and its results.
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? isWide;
  const [opened, setOpened] = useState<Readonly<Record<string, boolean>>>({});
  const { data = [], error } = useQuery(tablesQuery);
  const schemas = [...new Set(data.map(({ schema }) => schema))].toSorted((one, other) =>
    one.localeCompare(other),
  );
  return (
    <section
      aria-label={t("label")}
      className="min-h-0 min-w-0 overflow-auto rounded-panel border border-line p-1 max-md:max-h-56 md:h-56"
    >
      <FoldButton className={foldLook} isOpen={isOpen} onToggle={setChosen}>
        <span className="truncate" dir="auto">
          {t("label")}
        </span>
      </FoldButton>
      {isOpen && error !== null && <p className="px-2 text-2 text-danger">{describe(error)}</p>}
      {isOpen && (
        <ul>
          {schemas.map((schema) => {
            const isShown = opened[schema] ?? schemas.length === 1;
            return (
              <li key={schema} className="pl-3">
                <FoldButton
                  className={foldLook}
                  isOpen={isShown}
                  onToggle={(next) => setOpened((last) => ({ ...last, [schema]: next }))}
                >
                  <span className="truncate" dir="auto">
                    {schema}
                  </span>
                </FoldButton>
                {isShown && (
                  <ul aria-label={schema} className="pl-5">
                    {data
                      .filter((one) => one.schema === schema)
                      .toSorted((one, other) => one.name.localeCompare(other.name))
                      .map(({ id, name }) => (
                        <li key={id}>
                          <button
                            type="button"
                            title={t("insert", { name: qualifiedName(schema, name) })}
                            onClick={() => onInsert(qualifiedName(schema, name))}
                            className="block min-h-6 w-full truncate rounded-control px-1 text-left text-2 hover:bg-sunken"
                            dir="auto"
                          >
                            {name}
                          </button>
                        </li>
                      ))}
                  </ul>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
