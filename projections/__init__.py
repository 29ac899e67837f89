"""Events → answers. Imports domain only; knows no network and no store."""
