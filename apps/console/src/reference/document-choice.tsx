import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { Select } from "../ui/select.tsx";
import { referenceRolesQuery } from "./reference-queries.ts";

const documents = ["own", "admin", "app"] as const;

interface DocumentChoiceProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The choice of a document: one's own, those of the administration, or that of a role. */
export function DocumentChoice({ value, onChange }: DocumentChoiceProps) {
  const t = useTranslations("reference");
  const { data: roles = [] } = useQuery(referenceRolesQuery);
  return (
    <Select
      label={t("document")}
      value={value}
      options={[
        ...documents.map((one) => ({ value: one as string, label: t(`documents.${one}`) })),
        ...roles.map(({ id, name }) => ({
          value: id,
          label: t("documents.role", { name }),
          isName: true,
        })),
      ]}
      onChange={onChange}
    />
  );
}
