import { useTranslations } from "use-intl";
import { IconButton } from "../../ui/icon-button.tsx";
import { ArrowDown, ArrowUp, X } from "../../ui/icons.generated.ts";
import { SelectField } from "./select-field.tsx";
import { readOrder, writeOrder } from "./terms.ts";

interface OrderListProps {
  readonly terms: readonly string[];
  /** By what the rows can be ordered. */
  readonly choices: readonly { readonly name: string; readonly label: string }[];
  readonly faultAt: (index: number) => string | undefined;
  readonly onChange: (terms: readonly string[]) => void;
}

const none = "\u0000";

/** The order of the rows of a panel. */
export function OrderList({ terms, choices, faultAt, onChange }: OrderListProps) {
  const t = useTranslations("dashboardBuilder");
  const orders = terms.map(readOrder);
  const free = choices.filter(({ name }) => orders.every(({ field }) => field !== name));
  const change = (index: number, term: string) =>
    onChange(terms.map((one, at) => (at === index ? term : one)));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{t("order")}</legend>
      {orders.map((order, index) => {
        const known = choices.find(({ name }) => name === order.field);
        const own = known ?? { name: order.field, label: order.field };
        const label = t("orderBy", { position: index + 1 });
        return (
          <div key={order.field} className="flex items-end gap-1.5">
            <div className="min-w-0 flex-1">
              <SelectField
                label={label}
                value={order.field}
                options={[own, ...free].map(({ name, label: text }) => ({
                  value: name,
                  label: text,
                }))}
                fault={faultAt(index)}
                onChange={(field) => change(index, writeOrder({ ...order, field }))}
              />
            </div>
            <IconButton
              label={t(order.isDescending ? "descending" : "ascending", { name: own.label })}
              icon={order.isDescending ? ArrowDown : ArrowUp}
              onPress={() =>
                change(index, writeOrder({ ...order, isDescending: !order.isDescending }))
              }
            />
            <IconButton
              label={t("removeOrder", { name: own.label })}
              icon={X}
              onPress={() => onChange(terms.filter((_, at) => at !== index))}
            />
          </div>
        );
      })}
      {free.length > 0 && terms.length < 4 && (
        <SelectField
          label={t("addOrder")}
          value={none}
          options={[
            { value: none, label: t("choose") },
            ...free.map(({ name, label }) => ({ value: name, label })),
          ]}
          onChange={(field) => {
            if (field !== none) onChange([...terms, writeOrder({ field, isDescending: false })]);
          }}
        />
      )}
    </fieldset>
  );
}
