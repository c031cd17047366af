import type { BrowserService } from "./service.ts";

/**
 * Creates the database of a trading company in the schema `public`: no labels, keys of characters, composite keys, foreign
 * keys whose columns do not end in `_id`, and nothing exposed.
 */
export async function createTradingCompany({ test }: BrowserService): Promise<void> {
  await test.database.query(`
    create table shippers (shipper_id smallint primary key, company_name varchar(40) not null, phone varchar(24));
    create table customers (customer_id char(5) primary key, company_name varchar(40) not null, contact_name varchar(30),
      contact_title varchar(30), city varchar(15), country varchar(15));
    create table employees (employee_id smallint primary key, last_name varchar(20) not null, first_name varchar(10) not null,
      title varchar(30), birth_date date, reports_to smallint references employees (employee_id), photo_path varchar(255));
    create table regions (region_id smallint primary key, region_description varchar(60) not null);
    create table territories (territory_id varchar(20) primary key, territory_description varchar(60) not null,
      region_id smallint not null references regions (region_id));
    create table employee_territories (employee_id smallint references employees (employee_id),
      territory_id varchar(20) references territories (territory_id), primary key (employee_id, territory_id));
    create table categories (category_id smallint primary key, category_name varchar(15) not null, description text);
    create table suppliers (supplier_id smallint primary key, company_name varchar(40) not null, country varchar(15));
    create table products (product_id smallint primary key, product_name varchar(40) not null,
      supplier_id smallint references suppliers (supplier_id), category_id smallint references categories (category_id),
      unit_price numeric(10, 2), discontinued boolean not null default false);
    create table orders (order_id int primary key, customer_id char(5) references customers (customer_id),
      employee_id smallint references employees (employee_id), order_date date, shipped_date date,
      ship_via smallint references shippers (shipper_id), freight numeric(10, 2), ship_city varchar(15), ship_region varchar(15));
    create table order_details (order_id int references orders (order_id), product_id smallint references products (product_id),
      unit_price numeric(10, 2) not null, quantity smallint not null, primary key (order_id, product_id));
    create table us_states (state_id smallint primary key, state_name varchar(100), state_abbr varchar(2));
    create table customer_demographics (customer_type_id char(5) primary key, customer_desc text);
    create table customer_customer_demo (customer_id char(5) references customers (customer_id),
      customer_type_id char(5) references customer_demographics (customer_type_id), primary key (customer_id, customer_type_id));
    insert into shippers values (1, 'Speedy Express', '(503) 555-9831'), (2, 'United Package', null);
    insert into customers values ('ALFKI', 'Alfreds Futterkiste', 'Maria Anders', 'Sales Representative', 'Berlin', 'Germany'),
      ('BLAUS', 'Blauer See Delikatessen', 'Hanna Moos', 'Sales Representative', 'Mannheim', 'Germany');
    insert into employees values (2, 'Fuller', 'Andrew', 'Vice President, Sales', '1952-02-19', null, null),
      (1, 'Davolio', 'Nancy', 'Sales Representative', '1948-12-08', 2, 'http://example.com/davolio.png');
    insert into categories values (1, 'Beverages', 'Soft drinks, coffees, teas'), (2, 'Condiments', null);
    insert into suppliers values (1, 'Exotic Liquids', 'UK');
    insert into products values (1, 'Chai', 1, 1, 18, false), (2, 'Aniseed Syrup', 1, 2, 10, true);
    insert into orders select 10247 + i, (array['ALFKI', 'BLAUS'])[1 + i % 2], 1 + i % 2, date '2026-01-01' + i,
      case when i % 4 > 0 then date '2026-01-04' + i end, 1 + i % 2, i * 7 % 90, 'Berlin', null from generate_series(1, 120) i;
    insert into order_details select 10247 + i, 1 + i % 2, 18, 1 + i % 9 from generate_series(1, 120) i`);
}
