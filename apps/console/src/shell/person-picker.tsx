import type { AdminOperations } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { client } from "./client.ts";
import { FindBox } from "./find-box.tsx";
import { findAccounts } from "./find-people.ts";

/** A person with their roles. */
type Person = AdminOperations["GET /users/{id}"]["answer"]["data"];

interface PersonPickerProps {
  readonly userId: string | undefined;
  readonly onChoose: (userId: string) => void;
  readonly fault?: string | undefined;
}

/** Loads a person; nothing without an id. */
export function usePerson(userId: string | undefined) {
  return useQuery({
    queryKey: ["access", "person", userId],
    enabled: userId !== undefined,
    queryFn: async ({ signal }): Promise<Person> =>
      (await client.admin.get("/users/{id}", { path: { id: userId ?? "" }, signal })).data,
  });
}

/** The name by which people know a person. */
export function personName({ name, email }: Pick<Person, "name" | "email">): string {
  return name === "" ? email : `${name} (${email})`;
}

/** Finds a person by a part of the name or address. */
export function PersonPicker({ userId, onChoose, fault }: PersonPickerProps) {
  const t = useTranslations("access");
  const { data: person } = usePerson(userId);
  return (
    <FindBox
      label={t("person.label")}
      fault={fault}
      chosen={person === undefined ? undefined : { id: person.id, label: personName(person) }}
      onChoose={({ id }) => onChoose(id)}
      findKey={["access", "people"]}
      find={findAccounts}
      placeholder={t("person.placeholder")}
    />
  );
}
