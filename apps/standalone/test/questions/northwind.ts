import { readFile } from "node:fs/promises";
import { loadFixture } from "@rowhouse/testing";
import type { World } from "./world.ts";

const script = new URL("northwind.sql", import.meta.url);
const ordersOfC0007 =
  "customers?where[customer_id][_eq]=C0007&fields=customer_id,orders.order_id,orders.order_date" +
  "&deep[orders][order_by]=-order_date&deep[orders][limit]=6&deep[orders][cursor]=";

/** The Northwind sample, a wholesaler of food. The clerk looks after Germany, and the products that are still sold. */
export const northwind: World = {
  name: "Northwind",
  schema: "northwind",
  load: async (database) => loadFixture(database, await readFile(script, "utf8")),
  deletable: ["order_details"],
  clerk: {
    customers: {
      fields: ["customer_id", "company_name", "country"],
      rowFilter: { country: { _eq: "Germany" } },
    },
    orders: {
      fields: ["order_id", "customer_id", "order_date", "required_date", "shipped_date", "freight"],
      rowFilter: { ship_country: { _eq: "Germany" } },
    },
    order_details: { rowFilter: { "order.ship_country": { _eq: "Germany" } } },
    products: {
      fields: ["product_id", "product_name", "category_id", "unit_price"],
      rowFilter: { discontinued: { _eq: 0 } },
    },
    categories: { fields: ["category_id", "category_name"] },
  },
  clerkSql: `with customers as (select customer_id, company_name, country from northwind.customers where country = 'Germany'),
    orders as (select order_id, customer_id, order_date, required_date, shipped_date, freight
      from northwind.orders where ship_country = 'Germany'),
    order_details as (select d.* from northwind.order_details d join orders using (order_id)),
    products as (select product_id, product_name, category_id, unit_price from northwind.products where discontinued = 0)`,
  questions: [
    {
      question: "Which orders were shipped later than required?",
      request:
        "orders?where[shipped_date][_gt]=$FIELD.required_date&fields=order_id,required_date,shipped_date&order_by=order_id",
      sql: "select order_id, required_date, shipped_date from orders where shipped_date > required_date order by 1",
    },
    {
      question: "Which orders went to a city that is not the customer's?",
      request:
        "orders?where[ship_city][_neq]=$FIELD.customer.city&fields=order_id,ship_city,customer.city&order_by=order_id",
      sql: `select order_id, ship_city, json_build_object('city', c.city) as customer
        from orders join customers c using (customer_id) where ship_city <> c.city order by 1`,
    },
    {
      question: "Which products lost most by sales below their price?",
      request:
        "order_details?where[unit_price][_lt]=$FIELD.product.unit_price&group_by=product.product_name" +
        "&aggregate=count,sum((product.unit_price-unit_price)*quantity):loss&order_by=-loss,product.product_name&limit=10",
      sql: `select product_name as "product.product_name", count(*),
          sum((p.unit_price::numeric - d.unit_price::numeric) * quantity)::text as loss
        from order_details d join products p using (product_id) where d.unit_price < p.unit_price
        group by 1 order by sum((p.unit_price::numeric - d.unit_price::numeric) * quantity) desc, 1 limit 10`,
    },
    {
      question: "What is the revenue of each category, after discounts?",
      request:
        "order_details?aggregate=sum(quantity*unit_price*(1-discount)):revenue&group_by=product.category.category_name&order_by=-revenue",
      sql: `select category_name as "product.category.category_name",
          sum(quantity * d.unit_price::numeric * (1 - discount::numeric))::text as revenue
        from order_details d join products using (product_id) join categories using (category_id)
        group by 1 order by sum(quantity * d.unit_price::numeric * (1 - discount::numeric)) desc`,
    },
    {
      question: "What is the revenue of each employee in each year?",
      request:
        "order_details?aggregate=sum(quantity*unit_price*(1-discount)):revenue,count&group_by=order.employee.last_name,date_part(year,order.order_date)" +
        "&order_by=order.employee.last_name,order.order_date_part_year",
      sql: `select last_name as "order.employee.last_name", extract(year from order_date)::int as "order.order_date_part_year",
          sum(quantity * unit_price::numeric * (1 - discount::numeric))::text as revenue, count(*)
        from order_details join orders using (order_id) join employees using (employee_id) group by 1, 2 order by 1, 2`,
    },
    {
      question: "What is on the orders of 3 January 1997, and of which category is it?",
      request:
        "orders?where[order_date][_between]=1997-01-03,1997-01-05&fields=order_id,products.product_name,products.category.category_name" +
        "&deep[products][order_by]=product_name&order_by=order_id",
      sql: `select order_id, json_agg(json_build_object('product_name', product_name,
            'category', json_build_object('category_name', category_name)) order by product_name) as products
        from orders join order_details using (order_id) join products using (product_id) join categories using (category_id)
        where order_date >= '1997-01-03' and order_date < '1997-01-06' group by 1 order by 1`,
    },
    {
      question: "Which territories does each employee visit, and in which regions?",
      request:
        "employees?fields=last_name,territories.territory_description,territories.region.region_description" +
        "&deep[territories][order_by]=territory_id&order_by=employee_id",
      sql: `select last_name, coalesce(json_agg(json_build_object('territory_description', territory_description,
            'region', json_build_object('region_description', region_description)) order by territory_id)
            filter (where territory_id is not null), '[]') as territories
        from employees left join (employee_territories join territories using (territory_id) join region using (region_id))
          using (employee_id) group by employee_id order by employee_id`,
    },
    {
      question: "Which five products are on most orders, and when was each ordered last?",
      request:
        "products?fields=product_name,orders.count,orders.max(order_date)&order_by=-orders.count,product_id&limit=5",
      sql: `select product_name, json_build_object('count', count(*), 'max_order_date', max(order_date)) as orders
        from products join order_details using (product_id) join orders using (order_id)
        group by product_id order by count(*) desc, product_id limit 5`,
    },
    {
      question: "Which customers ordered fewer than three times in 1997?",
      request:
        'customers?where={"orders":{"_count":{"_lt":3,"_where":{"order_date":{"_between":["1997-01-01","1997-12-31"]}}}}}' +
        "&fields=customer_id,orders.count&order_by=customer_id",
      sql: `select customer_id, json_build_object('count', count(order_id)) as orders from customers left join orders using (customer_id)
        group by 1 having count(*) filter (where extract(year from order_date) = 1997) < 3 order by 1`,
    },
    {
      question: "Who is the boss of each employee, and who reports to the employee?",
      request:
        "employees?fields=first_name,boss:reports_to.last_name,staff:employees.last_name&deep[staff][order_by]=last_name&order_by=employee_id",
      sql: `select e.first_name, case when b.employee_id is not null then json_build_object('last_name', b.last_name) end as boss,
          (select coalesce(json_agg(json_build_object('last_name', s.last_name) order by s.last_name), '[]')
           from employees s where s.reports_to = e.employee_id) as staff
        from employees e left join employees b on b.employee_id = e.reports_to order by e.employee_id`,
    },
    {
      question:
        "Which orders of customers in Köln and Berlin are open, and which is the newest of each?",
      request:
        "customers?where[country][_eq]=Germany&fields=company_name,open:orders.order_id,newest:orders.order_id,newest:orders.shipper:ship_via.company_name" +
        "&deep[open][where][shipped_date][_null]=true&deep[open][order_by]=order_id" +
        "&deep[newest][order_by]=-order_date,-order_id&deep[newest][limit]=1&order_by=customer_id",
      sql: `select c.company_name,
          (select coalesce(json_agg(json_build_object('order_id', order_id) order by order_id), '[]')
           from orders o where o.customer_id = c.customer_id and shipped_date is null) as open,
          (select coalesce(json_agg(json_build_object('order_id', order_id, 'shipper', json_build_object('company_name', s.company_name))), '[]')
           from (select * from orders o where o.customer_id = c.customer_id order by order_date desc, order_id desc limit 1) o
           join shippers s on shipper_id = ship_via) as newest
        from customers c where city in ('Köln', 'Berlin') order by customer_id`,
    },
    {
      question: "Which are the third to the fifth dearest product of each category?",
      request:
        "categories?fields=category_name,products.product_name,products.unit_price&order_by=category_id" +
        "&deep[products][order_by]=-unit_price,product_id&deep[products][offset]=2&deep[products][limit]=3",
      sql: `select category_name, coalesce(json_agg(json_build_object('product_name', product_name, 'unit_price', unit_price) order by place)
            filter (where place between 3 and 5), '[]') as products
        from (select c.*, product_name, unit_price,
            row_number() over (partition by category_id order by unit_price desc, product_id) as place
          from categories c left join products using (category_id)) ranked
        group by category_id, category_name order by category_id`,
    },
    {
      question:
        "Which orders of customer C0007 are on the second page, the newest first, with six on each?",
      request: `${ordersOfC0007}true`,
      next: ([{ orders }]: [{ orders: { nextCursor: string } }]) =>
        `${ordersOfC0007}${orders.nextCursor}`,
      sql: `select 'C0007' as customer_id, json_build_object('data', json_agg(o)) as orders
        from (select order_id, order_date from orders where customer_id = 'C0007'
          order by order_date desc, order_id desc offset 6 limit 6) o`,
    },
    {
      question: "To which three countries does each employee sell most often?",
      request:
        "employees?fields=last_name,orders.count,orders.max(freight)&order_by=employee_id" +
        "&deep[orders][group_by]=ship_country&deep[orders][order_by]=-count,ship_country&deep[orders][limit]=3",
      sql: `select last_name, (select coalesce(json_agg(x), '[]') from (
            select ship_country, count(*), max(freight) as max_freight from orders o where o.employee_id = e.employee_id
            group by 1 order by 2 desc, 1 limit 3) x) as orders
        from employees e order by employee_id`,
    },
    {
      question: "How many orders come in each quarter of the year, and how many of these are late?",
      request:
        "orders?aggregate=count&group_by=date_part(quarter,order_date)&where[shipped_date][_gt]=$FIELD.required_date&order_by=order_date_part_quarter",
      sql: `select to_char(order_date, 'Q')::int as order_date_part_quarter, count(*) from orders
        where shipped_date > required_date group by 1 order by 1`,
    },
    {
      question: "Which of my orders were late, and whose are they?",
      as: "clerk",
      request:
        "orders?where[shipped_date][_gt]=$FIELD.required_date&fields=order_id,required_date,customer.company_name&order_by=-required_date,order_id",
      sql: `select order_id, required_date, case when c.customer_id is not null then json_build_object('company_name', c.company_name) end as customer
        from orders left join customers c using (customer_id)
        where shipped_date > required_date order by required_date desc, order_id`,
    },
    {
      question: "What do my products earn, in the order of their revenue?",
      as: "clerk",
      request:
        "order_details?aggregate=sum(quantity*unit_price*(1-discount)):revenue,count&group_by=product.product_name&order_by=-revenue,product.product_name",
      sql: `select product_name as "product.product_name",
          sum(quantity * d.unit_price::numeric * (1 - discount::numeric))::text as revenue, count(*)
        from order_details d left join products using (product_id) group by 1
        order by sum(quantity * d.unit_price::numeric * (1 - discount::numeric)) desc, 1`,
    },
    {
      question: "How often did each of my customers order, and for which freight at most?",
      as: "clerk",
      request:
        "customers?fields=company_name,orders.count,orders.max(freight),orders.sum(freight*1):freight&order_by=-orders.count,customer_id",
      sql: `select company_name, json_build_object('count', count(order_id), 'max_freight', max(freight),
            'freight', sum(freight::numeric)::text) as orders
        from customers left join orders using (customer_id) group by customer_id, company_name
        order by count(order_id) desc, customer_id`,
    },
    {
      question: "Which products that I sell are on my orders with two of these or more?",
      as: "clerk",
      request:
        "orders?where[products][_count][_gte]=2&fields=order_id,products.product_name,products.category.category_name" +
        "&deep[products][order_by]=product_id&order_by=order_id",
      sql: `select order_id, json_agg(json_build_object('product_name', product_name,
            'category', json_build_object('category_name', category_name)) order by product_id) as products
        from orders join order_details using (order_id) join products using (product_id) left join categories using (category_id)
        group by 1 having count(*) >= 2 order by 1`,
    },
    {
      question:
        "Which lines of less than four pieces leave the orders of 1996 when these are removed?",
      method: "DELETE",
      request:
        "order_details?where[quantity][_lt]=4&where[order.order_date][_lt]=1997-01-01&max_affected=100",
      headers: { Prefer: "return=representation" },
      isUnordered: true,
      sql: `select d.* from order_details d join orders using (order_id)
        where quantity < 4 and extract(year from order_date) = 1996`,
    },
  ],
};
