"""The OpenAPI document, made from the routes, and the pages that show it."""
