import { useTranslations } from "use-intl";
import { PlainSelect } from "../../records/filter/plain-select.tsx";
import { type BuilderParts, fittingOf } from "./builder-parts.ts";
import { FieldList } from "./field-list.tsx";
import { fieldOfTerm, isDescending, termOf } from "./order-term.ts";

/** The fields by which the rows are sorted, the first decides. */
export function OrderTerms({ parts }: { readonly parts: BuilderParts }) {
  const t = useTranslations("viewBuilder");
  const { orderBy } = parts.draft;
  const fields = orderBy.map(fieldOfTerm);
  return (
    <FieldList
      label={t("orderBy")}
      addLabel={t("add.orderBy")}
      options={fittingOf(parts, "sort")}
      fields={fields}
      faultOf={(index) => parts.faultAt(`/orderBy/${index}`)}
      onChange={(next) =>
        parts.change({
          orderBy: next.map((field) => orderBy[fields.indexOf(field)] ?? termOf(field, false)),
        })
      }
      detailOf={(field, index) => {
        const name = parts.options.find((one) => one.field === field)?.label ?? field;
        return (
          <PlainSelect
            label={t("direction", { name })}
            value={isDescending(orderBy[index] ?? "") ? "down" : "up"}
            options={[
              { value: "up", label: t("ascending") },
              { value: "down", label: t("descending") },
            ]}
            onChange={(value) =>
              parts.change({
                orderBy: orderBy.map((one, at) =>
                  at === index ? termOf(field, value === "down") : one,
                ),
              })
            }
          />
        );
      }}
    />
  );
}
