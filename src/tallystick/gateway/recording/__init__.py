"""The records of the gateway: requests, results, and calls that continue later."""
