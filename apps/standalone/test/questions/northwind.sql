-- The tables, columns, types and keys of the Northwind sample, a wholesaler of food. The rows are generated: each value
-- follows from a hash of its place, so that every load has the same rows.
create schema northwind;
set local search_path = northwind;

create function pg_temp.pick(seed text, choices integer) returns integer language sql immutable as
  $$ select ('x' || left(md5(seed), 7))::bit(28)::integer % choices $$;
create function pg_temp.choose(seed text, variadic choices text[]) returns text language sql immutable as
  $$ select choices[1 + pg_temp.pick(seed, cardinality(choices))] $$;

create table categories (
  category_id smallint primary key,
  category_name varchar(15) not null,
  description text,
  picture bytea
);
create table customer_demographics (
  customer_type_id varchar(5) primary key,
  customer_desc text
);
create table customers (
  customer_id varchar(5) primary key,
  company_name varchar(40) not null,
  contact_name varchar(30),
  contact_title varchar(30),
  address varchar(60),
  city varchar(15),
  region varchar(15),
  postal_code varchar(10),
  country varchar(15),
  phone varchar(24),
  fax varchar(24)
);
create table customer_customer_demo (
  customer_id varchar(5) not null references customers,
  customer_type_id varchar(5) not null references customer_demographics,
  primary key (customer_id, customer_type_id)
);
create table employees (
  employee_id smallint primary key,
  last_name varchar(20) not null,
  first_name varchar(10) not null,
  title varchar(30),
  title_of_courtesy varchar(25),
  birth_date date,
  hire_date date,
  address varchar(60),
  city varchar(15),
  region varchar(15),
  postal_code varchar(10),
  country varchar(15),
  home_phone varchar(24),
  extension varchar(4),
  photo bytea,
  notes text,
  reports_to smallint references employees,
  photo_path varchar(255)
);
create table suppliers (
  supplier_id smallint primary key,
  company_name varchar(40) not null,
  contact_name varchar(30),
  contact_title varchar(30),
  address varchar(60),
  city varchar(15),
  region varchar(15),
  postal_code varchar(10),
  country varchar(15),
  phone varchar(24),
  fax varchar(24),
  homepage text
);
create table products (
  product_id smallint primary key,
  product_name varchar(40) not null,
  supplier_id smallint references suppliers,
  category_id smallint references categories,
  quantity_per_unit varchar(20),
  unit_price real,
  units_in_stock smallint,
  units_on_order smallint,
  reorder_level smallint,
  discontinued integer not null
);
create table region (
  region_id smallint primary key,
  region_description varchar(60) not null
);
create table shippers (
  shipper_id smallint primary key,
  company_name varchar(40) not null,
  phone varchar(24)
);
create table orders (
  order_id smallint primary key,
  customer_id varchar(5) references customers,
  employee_id smallint references employees,
  order_date date,
  required_date date,
  shipped_date date,
  ship_via smallint references shippers,
  freight real,
  ship_name varchar(40),
  ship_address varchar(60),
  ship_city varchar(15),
  ship_region varchar(15),
  ship_postal_code varchar(10),
  ship_country varchar(15)
);
create table territories (
  territory_id varchar(20) primary key,
  territory_description varchar(60) not null,
  region_id smallint not null references region
);
create table employee_territories (
  employee_id smallint not null references employees,
  territory_id varchar(20) not null references territories,
  primary key (employee_id, territory_id)
);
create table order_details (
  order_id smallint not null references orders,
  product_id smallint not null references products,
  unit_price real not null,
  quantity smallint not null,
  discount real not null,
  primary key (order_id, product_id)
);
create table us_states (
  state_id smallint primary key,
  state_name varchar(100),
  state_abbr varchar(2),
  state_region varchar(50)
);

insert into categories (category_id, category_name, description) values
  (1, 'Drinks', 'Soft drinks, coffees and teas'), (2, 'Sauces', 'Sweet and savory sauces'),
  (3, 'Sweets', 'Desserts and candies'), (4, 'Dairy', 'Cheeses'), (5, 'Grains', 'Breads, crackers and pasta'),
  (6, 'Meat', 'Prepared meats'), (7, 'Produce', 'Dried fruit'), (8, 'Fish', 'Seaweed and fish');
insert into customer_demographics values
  ('CHAIN', 'A chain of shops'), ('HOTEL', 'Hotels and restaurants'), ('MAIL', 'Orders by mail'), ('NEW', 'No orders yet');
insert into customers (customer_id, company_name, contact_name, contact_title, city, country, phone)
select 'C' || lpad(n::text, 4, '0'),
  pg_temp.choose('name ' || n, 'Old Mill', 'Green Table', 'Corner', 'Harbor', 'Blue Door', 'Twin Oaks', 'Market Hall') || ' ' || n,
  'Contact ' || n, pg_temp.choose('title ' || n, 'Owner', 'Sales Agent', 'Buyer'), place[1], place[2], '555-' || lpad(n::text, 4, '0')
from generate_series(1, 60) n,
  lateral string_to_array(pg_temp.choose('place ' || n, 'Berlin/Germany', 'Köln/Germany', 'Paris/France', 'London/UK',
    'Madrid/Spain', 'Portland/USA', 'Seattle/USA', 'Lisboa/Portugal'), '/') place;
insert into customer_customer_demo
select distinct 'C' || lpad(n::text, 4, '0'), pg_temp.choose('type ' || n || part, 'CHAIN', 'HOTEL', 'MAIL', 'NEW')
from generate_series(1, 40) n, generate_series(1, 2) part;
insert into employees (employee_id, last_name, first_name, title, birth_date, hire_date, city, country, notes, reports_to) values
  (1, 'Dale', 'Nora', 'Sales Representative', '1968-12-08', '1992-05-01', 'Seattle', 'USA', 'Speaks French.', 2),
  (2, 'Ferro', 'Anton', 'Vice President, Sales', '1952-02-19', '1992-08-14', 'Tacoma', 'USA', null, null),
  (3, 'Lindt', 'Jana', 'Sales Representative', '1963-08-30', '1992-04-01', 'Kirkland', 'USA', null, 2),
  (4, 'Park', 'Maren', 'Sales Representative', '1958-09-19', '1993-05-03', 'Redmond', 'USA', null, 2),
  (5, 'Byrne', 'Stefan', 'Sales Manager', '1955-03-04', '1993-10-17', 'London', 'UK', 'Leads the office in London.', 2),
  (6, 'Sato', 'Miki', 'Sales Representative', '1963-07-02', '1993-10-17', 'London', 'UK', 'Speaks Japanese.', 5),
  (7, 'Quinn', 'Robin', 'Sales Representative', '1960-05-29', '1994-01-02', 'London', 'UK', null, 5),
  (8, 'Cole', 'Lara', 'Sales Coordinator', '1958-01-09', '1994-03-05', 'Seattle', 'USA', null, 2),
  (9, 'Dorn', 'Anne', 'Sales Representative', '1969-07-02', '1994-11-15', 'London', 'UK', null, 5);
insert into suppliers (supplier_id, company_name, city, country, homepage)
select n, 'Supplier ' || n, pg_temp.choose('town ' || n, 'Osaka', 'Oslo', 'Sydney'), null,
  case when n % 4 = 0 then 'https://supplier' || n || '.example' end
from generate_series(1, 12) n;
insert into products
select n, pg_temp.choose('kind ' || n, 'Smoked', 'Fresh', 'Sweet', 'Spiced', 'Dark', 'Mild') || ' ' ||
    pg_temp.choose('thing ' || n, 'Syrup', 'Tofu', 'Biscuits', 'Cheese', 'Pears', 'Herring', 'Tea', 'Noodles') || ' ' || n,
  1 + pg_temp.pick('supplier ' || n, 12), 1 + pg_temp.pick('category ' || n, 8), 10 + n || ' boxes',
  (2 + pg_temp.pick('price ' || n, 9000) / 100.0)::real, pg_temp.pick('stock ' || n, 120), 10 * pg_temp.pick('on order ' || n, 5),
  5 * pg_temp.pick('level ' || n, 7), (pg_temp.pick('ended ' || n, 6) = 0)::integer
from generate_series(1, 45) n;
insert into region values (1, 'Eastern'), (2, 'Western'), (3, 'Northern'), (4, 'Southern');
insert into shippers values (1, 'Fast Wheels', '555-9831'), (2, 'Parcel Union', '555-3199'), (3, 'Sea and Rail', '555-9931');
insert into territories
select lpad((1580 * n)::text, 5, '0'), 'Territory ' || n, 1 + pg_temp.pick('region ' || n, 4) from generate_series(1, 24) n;
insert into employee_territories
select distinct 1 + pg_temp.pick('walks ' || n || part, 8), lpad((1580 * n)::text, 5, '0')
from generate_series(1, 24) n, generate_series(1, 2) part;
insert into orders (order_id, customer_id, employee_id, order_date, required_date, shipped_date, ship_via, freight, ship_name,
  ship_city, ship_country)
select 10247 + n, c.customer_id, 1 + pg_temp.pick('employee ' || n, 9), day, day + (array[14, 28, 42])[1 + pg_temp.pick('due ' || n, 3)],
  case when n < 560 or pg_temp.pick('sent ' || n, 3) = 0 then day + 1 + pg_temp.pick('days ' || n, 40) end,
  1 + pg_temp.pick('via ' || n, 3), (pg_temp.pick('freight ' || n, 40000) / 100.0)::real, c.company_name,
  case when pg_temp.pick('elsewhere ' || n, 9) = 0 then 'Hamburg' else c.city end,
  case when pg_temp.pick('elsewhere ' || n, 9) = 0 then 'Germany' else c.country end
from generate_series(1, 600) n
cross join lateral (select date '1996-07-04' + n * 11 / 10 as day) dates
-- The last two customers have no orders.
join customers c on c.customer_id = 'C' || lpad((1 + pg_temp.pick('customer ' || n, 58))::text, 4, '0');
insert into order_details
select order_id, p.product_id, (p.unit_price::numeric * (array[1, 1, 0.8])[1 + pg_temp.pick('cut ' || order_id, 3)])::numeric(8, 2)::real,
  1 + pg_temp.pick('quantity ' || order_id || product_id, 60), (array[0, 0, 0.05, 0.1, 0.25])[1 + pg_temp.pick('discount ' || order_id, 5)]::real
from orders
cross join lateral (select distinct 1 + pg_temp.pick('line ' || order_id || line, 44) as product_id
  from generate_series(1, 1 + pg_temp.pick('lines ' || order_id, 4)) line) lines
join products p using (product_id);
insert into us_states values (1, 'Oregon', 'OR', 'west'), (2, 'Washington', 'WA', 'west'), (3, 'Maine', 'ME', 'east');
