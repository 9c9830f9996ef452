"""The likeliest pose under points and the habits of people, by Gauss-Newton steps."""
