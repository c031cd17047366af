import { readFile } from "node:fs/promises";
import { loadFixture } from "@rowhouse/testing";
import type { World } from "./world.ts";

const script = new URL("pagila.sql", import.meta.url);

/** The Pagila sample, a rental of films. The clerk works in the first of the two stores. */
export const pagila: World = {
  name: "Pagila",
  schema: "pagila",
  load: async (database) => loadFixture(database, await readFile(script, "utf8")),
  deletable: ["payment"],
  clerk: {
    customer: {
      fields: ["customer_id", "store_id", "first_name", "last_name"],
      rowFilter: { store_id: { _eq: 1 } },
    },
    inventory: { rowFilter: { store_id: { _eq: 1 } } },
    film: { fields: ["film_id", "title", "length", "rental_rate", "rating", "special_features"] },
    film_actor: {},
    actor: { fields: ["actor_id", "last_name"], rowFilter: { last_name: { _neq: "TORN" } } },
    rental: {
      fields: ["rental_id", "inventory_id", "customer_id", "rental_period"],
      rowFilter: { "inventory.store_id": { _eq: 1 } },
    },
    payment: {
      fields: ["payment_id", "payment_date", "customer_id", "rental_id", "amount"],
      rowFilter: { "rental.inventory.store_id": { _eq: 1 } },
    },
  },
  clerkSql: `with customer as (select customer_id, store_id, first_name, last_name from pagila.customer where store_id = 1),
    inventory as (select * from pagila.inventory where store_id = 1),
    film as (select film_id, title, length, rental_rate, rating, special_features from pagila.film),
    actor as (select actor_id, last_name from pagila.actor where last_name <> 'TORN'),
    rental as (select rental_id, r.inventory_id, customer_id, rental_period from pagila.rental r join inventory using (inventory_id)),
    payment as (select payment_id, payment_date, p.customer_id, rental_id, amount from pagila.payment p join rental using (rental_id))`,
  questions: [
    {
      question: "Who plays in the films for adults, and on which shelves are these?",
      request:
        "film?where[rating][_eq]=NC-17&fields=title,actor.first_name,actor.last_name,category.name&order_by=title,film_id" +
        "&deep[actor][order_by]=last_name,first_name,actor_id&deep[category][order_by]=name",
      sql: `select title,
          (select coalesce(json_agg(json_build_object('first_name', first_name, 'last_name', last_name) order by last_name, first_name, actor_id), '[]')
           from actor join film_actor x using (actor_id) where x.film_id = f.film_id) as actor,
          (select coalesce(json_agg(json_build_object('name', name) order by name), '[]')
           from category join film_category x using (category_id) where x.film_id = f.film_id) as category
        from film f where rating = 'NC-17' order by title, film_id`,
    },
    {
      question: "In how many films, and in how many horror films, does each actor play?",
      request:
        "actor?fields=actor_id,film.count,horror:film.count,horror:film.avg(length)&order_by=-film.count,actor_id" +
        "&deep[horror][where][category][_some][name][_eq]=Horror",
      sql: `select actor_id, json_build_object('count', count(film_id)) as film,
          json_build_object('count', count(*) filter (where horror), 'avg_length', (avg(length) filter (where horror))::text) as horror
        from actor left join (film_actor join (select film_id, length, exists (select from film_category join category using (category_id)
          where film_id = f.film_id and name = 'Horror') as horror from film f) f using (film_id)) using (actor_id)
        group by 1 order by count(film_id) desc, 1`,
    },
    {
      question: "What was rented at noon on 2 May 2022?",
      request:
        "rental?where[rental_period][_contains_value]=2022-05-02T12:00:00Z&fields=rental_id,inventory.film.title&order_by=rental_id",
      sql: `select rental_id, json_build_object('film', json_build_object('title', title)) as inventory
        from rental join inventory using (inventory_id) join film using (film_id)
        where rental_date <= '2022-05-02 12:00:00+00' and (return_date > '2022-05-02 12:00:00+00' or return_date is null) order by 1`,
    },
    {
      question: "How many films of each store were out at some time in the first week of March?",
      request:
        "rental?where[rental_period][_overlaps]=[2022-03-01 00:00:00%2B00,2022-03-08 00:00:00%2B00)&aggregate=count,count_distinct(inventory.film_id)" +
        "&group_by=inventory.store_id&order_by=inventory.store_id",
      sql: `select store_id as "inventory.store_id", count(*), count(distinct film_id) as "count_distinct_inventory.film_id"
        from rental join inventory using (inventory_id)
        where rental_date < '2022-03-08 00:00:00+00' and coalesce(return_date, 'infinity') > '2022-03-01 00:00:00+00' group by 1 order by 1`,
    },
    {
      question: "Which films have trailers and deleted scenes?",
      request:
        "film?where[special_features][_has_all]=Trailers,Deleted Scenes&fields=title,special_features&order_by=film_id",
      sql: `select title, special_features from film
        where 'Trailers' = any (special_features) and 'Deleted Scenes' = any (special_features) order by film_id`,
    },
    {
      question: "How many films of each rating have no feature but commentaries or trailers?",
      request:
        "film?where[special_features][_has_only]=Trailers,Commentaries&aggregate=count,max(length)&group_by=rating&order_by=rating",
      sql: `select rating, count(*), max(length) as max_length from film
        where special_features is not null
          and not exists (select from unnest(special_features) f where f not in ('Trailers', 'Commentaries')) group by 1 order by 1`,
    },
    {
      question: "Which ten packages are the largest, and of which version?",
      request:
        "packages_apt_postgresql_org?fields=package_id,aptdata.Package,aptdata.Version.upstream&order_by=-aptdata.Size:nulls_last,package_id&limit=10",
      sql: `select package_id, json_build_object('Package', aptdata->'Package', 'Version', json_build_object('upstream', aptdata#>'{Version,upstream}')) as aptdata
        from packages_apt_postgresql_org where aptdata ? 'Size' order by (aptdata->>'Size')::numeric desc, package_id limit 10`,
    },
    {
      question: "How many packages has each section, and how large are these together?",
      request:
        "packages_apt_postgresql_org?aggregate=count,sum(aptdata.Size),max(aptdata.Size)&group_by=aptdata.Section&order_by=aptdata.Section",
      sql: `select aptdata->'Section' as "aptdata.Section", count(*), sum((aptdata->>'Size')::numeric)::text as "sum_aptdata.Size",
          max((aptdata->>'Size')::numeric) as "max_aptdata.Size"
        from packages_apt_postgresql_org group by 1 order by aptdata->'Section'`,
    },
    {
      question: "Which films are about a moose and a shark?",
      request:
        'film?where={"fulltext":{"_search":{"text":"sharks moose","config":"english","mode":"plain"}}}&fields=film_id,title&order_by=film_id',
      sql: `select film_id, title from film where description ~* '\\mmoose\\M' and description ~* '\\mshark\\M' order by 1`,
    },
    {
      question: "Which films are about a mad scientist or a pastry chef, but of no boat?",
      request:
        'film?where={"_or":[{"description":{"_search":{"text":"mad scientists","config":"english","mode":"phrase"}}},' +
        '{"description":{"_search":"\\"pastry chef\\" -boat"}}]}&fields=film_id,description&order_by=film_id',
      sql: `select film_id, description from film
        where description like '%Mad Scientist%' or (description like '%Pastry Chef%' and description !~ '\\mBoat\\M') order by 1`,
    },
    {
      question: "At which hours of the day in Oslo do customers rent?",
      request:
        "rental?aggregate=count&group_by=date_part(hour,rental_date)&order_by=rental_date_part_hour",
      headers: { "X-Service-Timezone": "Europe/Oslo" },
      sql: `select to_char(rental_date at time zone 'Europe/Oslo', 'HH24')::int as rental_date_part_hour, count(*)
        from rental group by 1 order by 1`,
    },
    {
      question: "What does each employee take in on weekends?",
      request:
        "payment?where[payment_date][_part][weekday][_in]=6,7&aggregate=count,sum(amount)&group_by=staff.last_name&order_by=staff.last_name",
      sql: `select last_name as "staff.last_name", count(*), sum(amount)::text as sum_amount
        from payment join staff using (staff_id) where extract(dow from payment_date at time zone 'UTC') in (0, 6) group by 1 order by 1`,
    },
    {
      question: "How often did an employee of one store hand out a film of the other store?",
      request:
        "rental?where[staff.store_id][_neq]=$FIELD.inventory.store_id&aggregate=count&group_by=staff.first_name&order_by=staff.first_name",
      sql: `select first_name as "staff.first_name", count(*) from rental join inventory i using (inventory_id) join staff s using (staff_id)
        where s.store_id <> i.store_id group by 1 order by 1`,
    },
    {
      question: "Which ten films earned most in proportion to their cost?",
      request:
        "payment?aggregate=sum(amount/rental.inventory.film.replacement_cost):share,count&group_by=rental.inventory.film.film_id" +
        "&order_by=-share,rental.inventory.film.film_id&limit=10",
      sql: `select film_id as "rental.inventory.film.film_id", sum(amount / replacement_cost)::text as share, count(*)
        from payment join rental using (rental_id) join inventory using (inventory_id) join film using (film_id)
        group by 1 order by sum(amount / replacement_cost) desc, 1 limit 10`,
    },
    {
      question: "How many films did each customer of Norway rent in each month?",
      request:
        "customer?where[address.city.country.country][_eq]=Norway&fields=last_name,rental.count&order_by=customer_id" +
        "&deep[rental][group_by]=date_part(month,rental_date)&deep[rental][order_by]=rental_date_part_month",
      sql: `select last_name, (select coalesce(json_agg(m), '[]') from (
            select extract(month from rental_date at time zone 'UTC')::int as rental_date_part_month, count(*)
            from rental r where r.customer_id = c.customer_id group by 1 order by 1) m) as rental
        from customer c join address using (address_id) join city using (city_id) join country k using (country_id)
        where k.country = 'Norway' order by customer_id`,
    },
    {
      question: "Who paid most for films of my store?",
      as: "clerk",
      request:
        "customer?fields=last_name,rental.count,payment.sum(amount)&order_by=-payment.sum(amount):nulls_last,customer_id&limit=10",
      sql: `select last_name, json_build_object('count', (select count(*) from rental r where r.customer_id = c.customer_id)) as rental,
          json_build_object('sum_amount', paid::text) as payment
        from customer c left join (select customer_id, sum(amount) as paid from payment group by 1) p using (customer_id)
        order by paid desc nulls last, customer_id limit 10`,
    },
    {
      question: "Of which films has my store four copies or more, and who plays in them?",
      as: "clerk",
      request:
        "film?where[inventory][_count][_gte]=4&fields=title,inventory.count,actor.last_name&order_by=-inventory.count,film_id" +
        "&deep[actor][order_by]=last_name,actor_id",
      sql: `select title, json_build_object('count', copies) as inventory,
          (select coalesce(json_agg(json_build_object('last_name', last_name) order by last_name, actor_id), '[]')
           from actor join film_actor x using (actor_id) where x.film_id = f.film_id) as actor
        from film f join (select film_id, count(*) as copies from inventory group by 1) i using (film_id)
        where copies >= 4 order by copies desc, film_id`,
    },
    {
      question: "What did my store take in from each of my customers, and from all others?",
      as: "clerk",
      request:
        "payment?aggregate=sum(amount),count&group_by=customer.last_name&having[count][_gt]=8&order_by=-sum_amount,customer.last_name",
      sql: `select last_name as "customer.last_name", sum(amount)::text as sum_amount, count(*)
        from payment left join customer using (customer_id) group by 1 having count(*) > 8 order by sum(amount) desc, 1`,
    },
    {
      question: "How many rentals of my store have no end?",
      as: "clerk",
      method: "HEAD",
      request: "rental?where[rental_period][_upper][_null]=true&count=exact&limit=0",
      sql: "select count(*) from rental where upper(rental_period) is null",
    },
    {
      question: "How many payments of nothing does my store strike out?",
      as: "clerk",
      method: "DELETE",
      request: "payment?where[amount][_eq]=0&max_affected=100",
      sql: "select count(*) from payment where amount = 0",
    },
  ],
};
