"""The API's calls, by what they are about: each reads a request, asks the service, and answers."""
