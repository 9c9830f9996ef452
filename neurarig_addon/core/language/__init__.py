"""The words of other languages: their catalogues, and sentences with names and figures said in them."""
